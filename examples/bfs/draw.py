#!/usr/bin/env python3
"""Draws input.png, the town that the example starts from.  No rights are claimed in the picture.

White streets between dark houses, a river with three bridges, and a red square where the search
begins.  Needs nothing but Python, and the chance is the same on every machine.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
import chance
import picture

WIDTH, HEIGHT, BLOCK = 400, 300, 10
HOUSE, STREET, WATER, SQUARE = (60, 52, 48), (250, 250, 245), (40, 80, 120), (220, 30, 30)
BRIDGES = (40, 190, 340)

town = [[HOUSE] * WIDTH for _ in range(HEIGHT)]
drawn = chance.numbers()


def box(x, y, width, height, colour):
    for row in town[y:y + height]:
        row[x:x + width] = [colour] * width


def river(x):
    return HEIGHT // 2 + 30 * (x - WIDTH // 2) // WIDTH - (x - WIDTH // 2) ** 2 // 1600


# Streets between corners; one of four is not there.
for y in range(5, HEIGHT - BLOCK, BLOCK):
    for x in range(5, WIDTH - BLOCK, BLOCK):
        if next(drawn) % 4:
            box(x, y, BLOCK + 2, 2, STREET)
        if next(drawn) % 4:
            box(x, y, 2, BLOCK + 2, STREET)
# The river over them, and the bridges over the river.
for x in range(WIDTH):
    box(x, river(x) - 12, 1, 24, WATER)
for x in BRIDGES:
    box(x, river(x) - 30, 3, 60, STREET)
box(45, 45, 3, 3, SQUARE)

picture.write(sys.argv[1] if len(sys.argv) > 1 else 'input.png', town)
