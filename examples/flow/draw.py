#!/usr/bin/env python3
"""Draws input.png, the channel that the example starts from.  No rights are claimed in the picture.

Black walls, white water, blue where it flows in, green where it flows out; a round pillar a little below the
middle, so that its wake begins to sway, and two stones at the lower wall.  Needs nothing but Python.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
import picture

WIDTH, HEIGHT = 360, 100
WALL, WATER, INLET, OUTLET = (20, 20, 20), (255, 255, 255), (40, 90, 230), (40, 180, 70)
# Centre and half axes.
STONES = ((80, 51, 11, 11), (210, 98, 16, 9), (262, 98, 10, 14))


def colour(x, y):
    if y < 2 or y >= HEIGHT - 2:
        return WALL
    if any(((x - u) / a) ** 2 + ((y - v) / b) ** 2 < 1 for u, v, a, b in STONES):
        return WALL
    return INLET if x == 0 else OUTLET if x == WIDTH - 1 else WATER


rows = [[colour(x, y) for x in range(WIDTH)] for y in range(HEIGHT)]
picture.write(sys.argv[1] if len(sys.argv) > 1 else 'input.png', rows)
