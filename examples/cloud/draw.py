#!/usr/bin/env python3
"""Draws input.png, the scene that the example scans: red is the height, green the light.  No rights are claimed.

A slope with houses and trees on it.  Needs nothing but Python.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
import picture

WIDTH, HEIGHT = 320, 240
HOUSES = ((30, 30, 50, 34, 60), (110, 24, 40, 60, 44), (180, 60, 70, 30, 80), (60, 130, 36, 70, 52),
          (220, 140, 60, 60, 66), (150, 180, 40, 36, 38))
TREES = ((20, 100, 12), (100, 110, 9), (130, 140, 14), (280, 40, 15), (290, 110, 11), (190, 120, 10), (30, 210, 13),
         (110, 215, 10), (200, 220, 12), (300, 210, 14))


def point(x, y):
    ground = 20 + (x * 40) // WIDTH + (y * 30) // HEIGHT
    rough = (x * 7919 + y * 104729 + x * y * 31) % 5 - 2
    for left, top, width, depth, high in HOUSES:
        if left <= x < left + width and top <= y < top + depth:
            roof = min(y - top, top + depth - 1 - y) // 2
            return ground + high + roof, 180
    for cx, cy, radius in TREES:
        square = (x - cx) ** 2 + (y - cy) ** 2
        if square < radius * radius:
            return ground + 24 + (radius * radius - square) * 30 // (radius * radius) + 2 * rough, 90
    return max(0, ground + rough // 2), 130 + 6 * rough


rows = [[(*point(x, y), 0) for x in range(WIDTH)] for y in range(HEIGHT)]
picture.write(sys.argv[1] if len(sys.argv) > 1 else 'input.png', rows)
