#!/usr/bin/env python3
"""Draws input.png, the photograph that the example starts from.  No rights are claimed in the picture.

A street at night: lit windows, lamps, and what of them the wet road gives back.  Counts in integers, so that every
machine draws the same.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
import picture

WIDTH, HEIGHT, ROAD = 320, 210, 150


def noise(*key):
    h = 0x9e3779b9
    for k in key:
        h = (h ^ k) * 0x85ebca6b & 0xffffffff
        h ^= h >> 13
    return h * 0xc2b2ae35 >> 8 & 0xffff


def houses():
    """Left side, width, height, colour."""
    at, k = 0, 0
    while at < WIDTH:
        width = 34 + noise(1, k) % 30
        yield at, width, 60 + noise(2, k) % 70, (30 + noise(3, k) % 25, 26 + noise(4, k) % 18, 30 + noise(5, k) % 20)
        at, k = at + width, k + 1


STREET = list(houses())
LAMPS = [(24 + 58 * k, 88 + 4 * (k % 2)) for k in range(6)]


def window(x, y, left, top):
    """Warm, dark or blue of a screen; none between them."""
    column, row = (x - left - 4) // 8, (y - top - 6) // 11
    if (x - left - 4) % 8 > 4 or (y - top - 6) % 11 > 6 or y > ROAD - 8 or y < top + 6 or x < left + 4:
        return None
    mood = noise(6, left, column, row) % 10
    return (250, 205, 110) if mood < 4 else (120, 160, 235) if mood == 4 else (14, 15, 22)


def house(x, y):
    for left, width, height, colour in STREET:
        if left <= x < left + width and y >= ROAD - height:
            glass = window(x, y, left, ROAD - height) if x < left + width - 4 else None
            return glass or colour
    star = noise(7, x, y) % 700 == 0
    return (225, 225, 235) if star else (6 + y // 12, 8 + y // 10, 24 + y // 5)


def lamp(x, y):
    for left, top in LAMPS:
        far = (x - left) ** 2 + (y - top) ** 2
        if far <= 9:
            return 255, 244, 205
        if abs(x - left) < 1 and y > top:
            return 18, 18, 20
    return None


def light(x, y):
    """What the lamps add to everything near them."""
    return sum(9000 // (90 + (x - left) ** 2 + (y - top) ** 2) for left, top in LAMPS)


def above(x, y):
    own = lamp(x, y)
    glow = light(x, y)
    return own or tuple(min(c + glow * w // 4, 255) for c, w in zip(house(x, y), (4, 3, 2)))


def seen(x, y):
    if y < ROAD:
        return above(x, y)
    ripple = noise(8, x // 5, y) % 3 - 1
    back = above(min(max(x + ripple, 0), WIDTH - 1), max(2 * ROAD - y * 2 + ROAD - 1, 0) if y * 2 < 3 * ROAD else 0)
    return tuple(c * 2 // 5 + noise(9, x, y) % 6 for c in back)


picture.write(sys.argv[1] if len(sys.argv) > 1 else 'input.png',
              [[seen(x, y) for x in range(WIDTH)] for y in range(HEIGHT)])
