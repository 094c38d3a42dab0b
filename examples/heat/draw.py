#!/usr/bin/env python3
"""Draws input.png, the floor plan that the example starts from.  No rights are claimed in the picture.

Black walls, white rooms, red heaters, blue windows; needs nothing but Python.
"""
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
import picture

WIDTH, HEIGHT, THICK = 400, 300, 6
WALL, AIR, HEATER, WINDOW = (20, 20, 20), (255, 255, 255), (220, 30, 30), (40, 90, 230)

plan = [[AIR] * WIDTH for _ in range(HEIGHT)]


def box(x, y, width, height, colour):
    for row in plan[y:y + height]:
        row[x:x + width] = [colour] * width


def across(x, y, length):
    box(x, y, length, THICK, WALL)


def down(x, y, length):
    box(x, y, THICK, length, WALL)


# The house.
across(0, 0, WIDTH)
across(0, HEIGHT - THICK, WIDTH)
down(0, 0, HEIGHT)
down(WIDTH - THICK, 0, HEIGHT)
# Rooms: a corridor in the middle, doors left open.
across(0, 120, 60)
across(90, 120, 120)
across(240, 120, 100)
across(370, 120, 30)
across(0, 176, 110)
across(140, 176, 150)
across(320, 176, 80)
down(140, 0, 126)
down(270, 0, 126)
down(200, 176, 60)
down(200, 266, 34)
down(300, 176, 124)
# A chimney and two cupboards.
box(190, 40, 26, 26, WALL)
box(60, 216, 40, 24, WALL)
box(340, 230, 24, 40, WALL)
# Windows in the outer walls, heaters beside the inner ones.
for x, y, width, height in ((40, 0, 60, 6), (180, 0, 60, 6), (310, 0, 50, 6), (0, 130, 6, 40),
                            (394, 130, 6, 40), (30, 294, 70, 6), (230, 294, 40, 6), (394, 200, 6, 50)):
    box(x, y, width, height, WINDOW)
for x, y, width, height in ((20, 112, 36, 6), (160, 112, 40, 6), (280, 20, 6, 50), (150, 186, 40, 6),
                            (10, 250, 6, 34), (308, 276, 30, 6)):
    box(x, y, width, height, HEATER)

picture.write(sys.argv[1] if len(sys.argv) > 1 else 'input.png', plan)
