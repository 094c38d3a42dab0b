#!/usr/bin/env python3
"""Makes input.old.txt and input.new.txt, the texts that the example starts from: a program of nobody, and what became of
it after some work.  No rights are claimed in them.  Needs nothing but Python.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
from chance import numbers

VERBS = ('open', 'read', 'count', 'sort', 'print', 'close', 'check', 'turn')
NOUNS = ('list', 'page', 'index', 'river', 'total', 'field', 'answer')

draw = numbers()


def one(of):
    return of[next(draw) % len(of)]


def line():
    form = next(draw) % 5
    if form == 0:
        return f'\tfor (int i = 0; i < {next(draw) % 8 + 2}; i++)'
    if form == 1:
        return f'\tif ({one(NOUNS)} > {next(draw) % 10})'
    return f'\t{one(VERBS)}_{one(NOUNS)}({one(NOUNS)}, {next(draw) % 20});'


def function():
    return [f'void {one(VERBS)}_{one(NOUNS)}(int {one(NOUNS)})', '{', *(line() for _ in range(3 + next(draw) % 9)), '}', '']


def edited(text):
    for old in text:
        chance = next(draw) % 100
        if chance < 4:
            yield line()
        elif chance < 8:
            yield line()
            yield old
        elif chance >= 12:
            yield old


functions = [function() for _ in range(32)]
old = [text for f in functions for text in f]
moved = functions.pop(20)
functions.insert(6, moved)
functions.insert(11, function())
del functions[27]
new = list(edited(text for f in functions for text in f))
for path, lines in (('input.old.txt', old), ('input.new.txt', new)):
    with open(path, 'w') as out:
        out.write('\n'.join(lines) + '\n')
