#!/usr/bin/env python3
"""Makes input.csv, the table that the example starts from: books of nobody, with commas, quotes and line ends
in their titles.  No rights are claimed in it.  Needs nothing but Python.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
from chance import numbers

NOUNS = ('river', 'house', 'engine', 'garden', 'winter', 'clock', 'letter', 'harbour', 'machine', 'orchard')
KINDS = ('quiet', 'last', 'second', 'distant', 'burning', 'forgotten', 'paper', 'northern')


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


draw = numbers()
lines = ['number,title,author,pages,price']
for k in range(600):
    title = f'The {KINDS[next(draw) % 8]} {NOUNS[next(draw) % 10]}'
    form = next(draw) % 6
    if form == 0:
        title = quoted(f'{title}, or a {NOUNS[next(draw) % 10]} regained')
    elif form == 1:
        title = quoted(f'{title}:\n"a tale", volume {next(draw) % 9 + 1}')
    elif form == 2:
        title = quoted('') if next(draw) % 2 else quoted('"')
    author = '' if next(draw) % 9 == 0 else quoted(f'{chr(65 + next(draw) % 26)}. Nobody, {chr(65 + next(draw) % 26)}. No one')
    lines.append(f'{k + 1},{title},{author},{next(draw) % 900 + 60},{next(draw) % 40 + 5}.{next(draw) % 100:02}')
with open(sys.argv[1] if len(sys.argv) > 1 else 'input.csv', 'wb') as out:
    out.write(('\n'.join(lines) + '\n').encode())
