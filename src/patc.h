/* patc.h - the whole compiler at a glance, in the order of the road that a program takes:
 *
 *   foo.pat - lex, parse -> syntax tree - sema -> pattern graph - passes -> groups
 *           - lower -> plan + kernel IR - print -> foo.cu, foo.h
 *
 * The house has floors.  A floor uses itself and those below it, and no other; tests/floors looks
 * at includes and symbols. */
#ifndef PATC_H
#define PATC_H

#include "base.h"    /* src/base    memory, names, lists; messages; files; options; targets */
#include "graph.h"   /* src/graph   types, expressions, statements; are accesses inside? */
#include "eval.h"    /* src/eval    beside the road: what a program means, executed */
#include "front.h"   /* src/front   grammar/ and the checks: text -> syntax tree -> pattern graph */
#include "kir.h"     /* src/kir     kernel IR: builders, kernel text, checks, the printer */
#include "pass.h"    /* src/pass    decisions over statements and over kernels, and their remarks */
#include "lower.h"   /* src/lower   expressions become kernel IR; parameters; the host's plan */
                     /* patterns/   a folder each: what its statements mean, and their kernels */
                     /* backends/   CUDA, HIP, OpenMP C: spelling, host functions, header */
#include "road.h"    /* src/tools   the commands: compile, run, test */

#endif
