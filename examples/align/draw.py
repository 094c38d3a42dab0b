#!/usr/bin/env python3
"""Makes input.query.fasta and input.database.fasta, the proteins that the example starts from: of nobody, letters
drawn as often as proteins have them.  Some of the database are the query's relatives, changed by a long descent.
No rights are claimed in them.  Needs nothing but Python.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
from chance import numbers

OFTEN = {'A': 83, 'R': 55, 'N': 41, 'D': 55, 'C': 14, 'Q': 39, 'E': 68, 'G': 71, 'H': 23, 'I': 59, 'L': 97, 'K': 58,
         'M': 24, 'F': 39, 'P': 47, 'S': 66, 'T': 53, 'W': 11, 'Y': 29, 'V': 68}
LETTERS = ''.join(letter * times for letter, times in OFTEN.items())
# Letters that take each other's place without much harm.
KIN = ('ILVM', 'FYW', 'KR', 'DE', 'NQ', 'ST', 'AG')

draw = numbers()


def protein(length):
    return ''.join(LETTERS[next(draw) % len(LETTERS)] for _ in range(length))


def changed(letter):
    kin = next((k for k in KIN if letter in k), LETTERS)
    return kin[next(draw) % len(kin)] if next(draw) % 3 else LETTERS[next(draw) % len(LETTERS)]


def descendant(text, percent):
    """So many letters changed, and now and then some lost or put in."""
    out, at = '', 0
    while at < len(text):
        chance = next(draw) % 1000
        if chance < percent // 3:
            at += next(draw) % 9
        elif chance < 2 * percent // 3:
            out += protein(next(draw) % 9)
        else:
            out += changed(text[at]) if next(draw) % 100 < percent else text[at]
            at += 1
    return out


def entry(name, text):
    return f'>{name}\n' + ''.join(text[at:at + 60] + '\n' for at in range(0, len(text), 60))


query = protein(173)
base = [(f'SYN{k:03} no relative', protein(30 + next(draw) % 300)) for k in range(56)]
for percent in (15, 35, 50, 65):
    part = query[next(draw) % 25:len(query) - next(draw) % 25]
    relative = protein(next(draw) % 60) + descendant(part, percent) + protein(next(draw) % 60)
    base.insert(next(draw) % len(base), (f'REL{percent:03} a relative, {percent} of 100 letters drawn again', relative))
with open('input.query.fasta', 'w') as out:
    out.write(entry('QUERY of nobody', query))
with open('input.database.fasta', 'w') as out:
    out.write(''.join(entry(*one) for one in base))
