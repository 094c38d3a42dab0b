/* graph.h - graphs that are drawn, vertex by vertex (CSR); the same on every machine. */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdint.h>

struct picture;

/* Every edge is there in both directions, a self loop too: the neighbours of vertex v are
 * to[begin[v]] .. to[begin[v + 1] - 1]. */
struct graph { int64_t vertices, edges; int32_t *begin, *to; };

/* As Graph500 draws them: 2^scale vertices, so many edges for each, whose ends are found by halving
 * the table of all pairs again and again (R-MAT, Chakrabarti, Zhan and Faloutsos 2004).  Few
 * vertices have most edges, many have none, and self loops and multiple edges stay. */
struct graph graph_kronecker(int scale, int edges_a_vertex);
/* The pixels of a picture in rows; those that are not dark are joined to such ones beside them. */
struct graph graph_streets(const struct picture *);
/* A town of side x side corners; one of four streets between neighbours is closed. */
struct graph graph_town(int64_t side);
/* The last of so many vertices is joined to all others, which have no other edges. */
struct graph graph_star(int64_t vertices);
void graph_free(struct graph *);

/* Of each edge a number from 1 to `most`, the same in both directions. */
int32_t *graph_weights(const struct graph *, int32_t most);
/* The k-th root to search from, drawn from the vertices that have an edge; -1 if none has one. */
int64_t graph_root(const struct graph *, int64_t k);

#endif
