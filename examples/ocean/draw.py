#!/usr/bin/env python3
"""Draws input.png, the sea chart that the example starts from.  No rights are claimed in the picture.

Brown land, blue water: an ocean that nobody has sailed, its coasts broken again and again at the middle by a
little chance, with a few islands.  Needs nothing but Python, and the chance is the same on every machine.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
import picture

WIDTH, HEIGHT = 400, 300
LAND, WATER = (150, 116, 66), (38, 88, 170)
# The coast, clockwise, and the islands.
SHORES = [[(58, 40), (130, 26), (210, 34), (286, 22), (352, 44), (372, 90), (340, 128), (352, 170), (378, 214),
           (364, 262), (290, 276), (220, 264), (158, 280), (96, 270), (60, 238), (84, 196), (50, 150), (36, 96)],
          [(232, 96), (252, 88), (268, 100), (250, 112)],
          [(150, 200), (166, 194), (172, 212), (154, 216)],
          [(300, 214), (308, 210), (310, 220)]]

state = 12345


def chance():
    """In -0.5 .. 0.5, in steps of 1/65536."""
    global state
    state = (state * 1103515245 + 12345) & 0x7fffffff
    return (state >> 15) / 65536 - 0.5


def broken(shore, times):
    for _ in range(times):
        finer = []
        for (x, y), (u, v) in zip(shore, shore[1:] + shore[:1]):
            aside = 0.4 * chance()
            finer += [(x, y), ((x + u) / 2 + aside * (v - y), (y + v) / 2 - aside * (u - x))]
        shore = finer
    return shore


def crossings(shore, y):
    """Where the shore crosses the middle of row y."""
    at = []
    for (x, w), (u, v) in zip(shore, shore[1:] + shore[:1]):
        if (w <= y + 0.5) != (v <= y + 0.5):
            at.append(x + (y + 0.5 - w) / (v - w) * (u - x))
    return sorted(at)


shores = [broken(shore, 5) for shore in SHORES]
rows = []
for y in range(HEIGHT):
    row = [LAND] * WIDTH
    for shore in shores:
        at = crossings(shore, y)
        for a, b in zip(at[::2], at[1::2]):
            for x in range(max(int(a + 0.5), 0), min(int(b + 0.5), WIDTH)):
                row[x] = WATER if shore is shores[0] else LAND
    rows.append(row)
picture.write(sys.argv[1] if len(sys.argv) > 1 else 'input.png', rows)
