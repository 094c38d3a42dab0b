#!/usr/bin/env python3
"""Draws input.png, the section through the ground that the example starts from.  No rights are claimed in it.

The lighter, the faster is sound: water on top, layers that dip and bend below it, broken by a fault, and a
dome of salt.  Needs nothing but Python.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
import picture

WIDTH, HEIGHT = 240, 150
LAYERS = ((30, 60), (52, 95), (74, 80), (96, 125), (118, 150))      # depth in the middle, brightness
WATER, DEEPEST, SALT = 20, 175, 250


def bend(x):
    """How much deeper a layer is here: an arch in the middle, and a step where the fault is."""
    u = (x - 120) / 120
    return 22 * u * u + (9 if x > 178 else 0)


def shade(x, y):
    depth = y - bend(x)
    u, v = (x - 112) / 34, (y - 128) / 60
    if u * u + v * v < 1 and depth > 40:
        return SALT
    if y < 18:
        return WATER
    for limit, brightness in LAYERS:
        if depth < limit:
            return brightness
    return DEEPEST


rows = [[(shade(x, y),) * 3 for x in range(WIDTH)] for y in range(HEIGHT)]
picture.write(sys.argv[1] if len(sys.argv) > 1 else 'input.png', rows)
