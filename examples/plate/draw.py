#!/usr/bin/env python3
"""Draws input.png, the plate that the example starts from.  No rights are claimed in the picture.

Grey metal; a hot comb and a cold one, two warm edges and two cold ones: red is hot, blue is cold.  Needs nothing but
Python.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
import picture

WIDTH, HEIGHT = 80, 60
METAL, HOT, WARM, COLD = (150, 150, 150), (230, 20, 10), (200, 90, 60), (20, 60, 220)

plate = [[METAL] * WIDTH for _ in range(HEIGHT)]


def box(x, y, width, height, colour):
    for row in plate[y:y + height]:
        row[x:x + width] = [colour] * width


box(0, 0, WIDTH, 1, WARM)
box(0, HEIGHT - 1, WIDTH, 1, COLD)
box(0, 0, 1, HEIGHT, WARM)
box(WIDTH - 1, 0, 1, HEIGHT, COLD)
# A hot comb, its teeth towards a cold one.
box(14, 10, 2, 40, HOT)
for y in (10, 24, 38, 48):
    box(14, y, 26, 2, HOT)
for y in (17, 31, 43):
    box(24, y, 38, 2, COLD)
box(60, 12, 2, 36, COLD)
picture.write(sys.argv[1] if len(sys.argv) > 1 else 'input.png', plate)
