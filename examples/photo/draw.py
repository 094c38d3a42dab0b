#!/usr/bin/env python3
"""Draws input.png, the photograph that the example starts from.  No rights are claimed in the picture.

A still life by a small ray tracer: balls on a tiled table under one lamp, with shadows, reflections and
the grain of a film.  Nothing is used whose last digit may differ between machines: + - * / and sqrt.
"""
import sys
from math import sqrt
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
import picture

WIDTH, HEIGHT, GRAIN = 330, 220, 4
LAMP = (-4.0, 6.0, -3.0)
# Centre, radius, colour, how much it mirrors.
BALLS = (((-1.25, 0.80, 3.4), 0.80, (0.80, 0.16, 0.12), 0.10),
         ((0.45, 1.10, 4.6), 1.10, (0.85, 0.85, 0.88), 0.55),
         ((1.60, 0.55, 2.9), 0.55, (0.16, 0.42, 0.75), 0.15),
         ((0.25, 0.35, 2.5), 0.35, (0.92, 0.72, 0.20), 0.08),
         ((-2.70, 1.00, 6.2), 1.00, (0.22, 0.55, 0.26), 0.10))


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def along(p, d, t):
    return (p[0] + t * d[0], p[1] + t * d[1], p[2] + t * d[2])


def unit(a):
    length = sqrt(dot(a, a))
    return (a[0] / length, a[1] / length, a[2] / length)


def meet(p, d):
    """The nearest ball on the ray from p towards d, and how far it is."""
    best, found = 1e9, None
    for ball in BALLS:
        c, r = ball[0], ball[1]
        to = (c[0] - p[0], c[1] - p[1], c[2] - p[2])
        b = dot(to, d)
        disc = b * b - dot(to, to) + r * r
        if disc > 0:
            t = b - sqrt(disc)
            if 1e-4 < t < best:
                best, found = t, ball
    return best, found


def table(x, z):
    """Tiles of two kinds of wood, with joints between them."""
    u, v = x * 1.25 % 2.0, z * 1.25 % 2.0
    if min(u % 1.0, v % 1.0) < 0.03:
        return (0.16, 0.11, 0.08)
    vein = 0.06 * abs((x * 9.0 + z * (2.0 + x) % 1.0) % 1.0 - 0.5)
    return (0.62 - vein, 0.44 - vein, 0.28 - vein) if (u < 1.0) == (v < 1.0) else (0.36 + vein, 0.22 + vein, 0.13)


def wall(d):
    """Behind everything: a window's light on a wall that darkens upwards."""
    lit = 0.15 if abs(d[0] / d[2] - 0.35) < 0.16 and 0.1 < d[1] / d[2] < 0.42 else 0.0
    shade = 0.55 - 0.5 * d[1]
    return (shade * 0.72 + lit, shade * 0.76 + lit, shade * 0.80 + lit * 0.8)


def light(p, d, depth):
    t, ball = meet(p, d)
    floor = -p[1] / d[1] if d[1] < 0 else 1e9
    if min(t, floor) > 14:
        return wall(d)
    if floor < t:
        at, normal, colour, mirror = along(p, d, floor), (0.0, 1.0, 0.0), None, 0.06
        colour = table(at[0], at[2])
    else:
        at, colour, mirror = along(p, d, t), ball[2], ball[3]
        normal = unit((at[0] - ball[0][0], at[1] - ball[0][1], at[2] - ball[0][2]))
    to = (LAMP[0] - at[0], LAMP[1] - at[1], LAMP[2] - at[2])
    distance = sqrt(dot(to, to))
    to = (to[0] / distance, to[1] / distance, to[2] / distance)
    shade = 0.22 + 0.08 * normal[1]
    if meet(at, to)[0] > distance:
        shade += max(dot(normal, to), 0.0) * 44.0 / (distance * distance)
    bounce = along(d, normal, -2.0 * dot(d, normal))
    shine = max(dot(bounce, to), 0.0) if ball and t < floor and shade > 0.4 else 0.0
    for _ in range(5):
        shine *= shine
    seen = light(at, bounce, depth - 1) if depth and mirror else (0.0, 0.0, 0.0)
    return tuple(c * shade * (1 - mirror) + s * mirror + 0.7 * shine for c, s in zip(colour, seen))


def grain(x, y, c):
    """Even noise in -1 .. 1, the same on every machine."""
    h = (x * 374761393 + y * 668265263 + c * 2147483647) & 0xffffffff
    h = (h ^ h >> 13) * 1274126177 & 0xffffffff
    h = (h ^ h >> 16) * 2246822519 & 0xffffffff
    return (h >> 8 & 0xffff) / 32767.5 - 1.0


def expose(x, y):
    total = (0.0, 0.0, 0.0)
    for sub in range(4):
        u = (x + 0.25 + 0.5 * (sub & 1)) / HEIGHT - 0.5 * WIDTH / HEIGHT
        v = 0.5 - (y + 0.25 + 0.5 * (sub >> 1)) / HEIGHT
        seen = light((0.0, 1.9, -2.2), unit((u, v - 0.16, 1.05)), 2)
        total = tuple(t + s for t, s in zip(total, seen))
    return tuple(int(min(max(255.0 * sqrt(min(t / 4.0, 1.0)) + GRAIN * grain(x, y, c), 0.0), 255.0))
                 for c, t in enumerate(total))


rows = [[expose(x, y) for x in range(WIDTH)] for y in range(HEIGHT)]
picture.write(sys.argv[1] if len(sys.argv) > 1 else 'input.png', rows)
