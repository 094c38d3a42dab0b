#!/usr/bin/env python3
"""Draws how fast wavefronts are in each order of their cells, over their size:
plot.py RESULTS.md > orders.svg

Reads the table under "## wavefronts": a work as the compiler chose ("align"), the same with an
order pinned ("align, diagonal"), and beside either what it was measured against.  Needs nothing but
Python.
"""
import math
import re
import sys

WIDTH, HEIGHT, TOP, LEFT, RIGHT, BOTTOM = 260, 260, 40, 62, 24, 76
COLOURS = ['#1b6ca8', '#c8553d', '#3c8d53', '#8a5fa8', '#b08a1e', '#555555']
CHOSEN = 'as chosen'


def read(lines):
    """{work: {line: {side: Gcell/s}}}, in the order of the table."""
    works, inside = {}, False
    for line in lines:
        if line.startswith('## '):
            inside = line.strip() == '## wavefronts'
        cell = [c.strip() for c in line.split('|')[1:-1]]
        if not inside or len(cell) < 7 or not (size := re.match(r'(\d+)\^2 ', cell[1])):
            continue
        side, (work, _, order) = int(size[1]), cell[0].partition(', ')
        lines_of = works.setdefault(work, {})
        lines_of.setdefault(order or CHOSEN, {})[side] = speed(side, cell[2])
        if cell[4] and cell[4] != CHOSEN:
            beside = lines_of.setdefault(cell[4].partition(', pinned')[0], {})
            beside.setdefault(side, speed(side, cell[5]))
    return works


def speed(side, milliseconds):
    return side * side / float(milliseconds.split()[0]) / 1e6


def panel(number, work, lines_of):
    """One work: Gcell/s over the side, both by their logarithms."""
    left = LEFT + number * (WIDTH + LEFT + RIGHT)
    sides = sorted({side for points in lines_of.values() for side in points})
    speeds = [s for points in lines_of.values() for s in points.values()]
    low, high = math.floor(math.log10(min(speeds))), math.ceil(math.log10(max(speeds)))
    first, last = math.log2(sides[0]), math.log2(sides[-1])

    def x(side):
        return left + WIDTH * (math.log2(side) - first) / max(last - first, 1)

    def y(rate):
        return TOP + HEIGHT * (high - math.log10(rate)) / (high - low)

    yield (f'<text x="{left + WIDTH / 2:.0f}" y="{TOP - 16}" text-anchor="middle" '
           f'font-weight="bold">{work}</text>')
    for power in range(low, high + 1):
        at = y(10 ** power)
        yield f'<path d="M{left} {at:.1f}h{WIDTH}" stroke="#ddd"/>'
        yield f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{10.0 ** power:g}</text>'
    for side in sides:
        yield (f'<text x="{x(side):.1f}" y="{TOP + HEIGHT + 16}" '
               f'text-anchor="middle">{side}²</text>')
    for n, (name, points) in enumerate(lines_of.items()):
        colour = COLOURS[n % len(COLOURS)]
        path = ' '.join(f'{x(side):.1f},{y(rate):.1f}' for side, rate in sorted(points.items()))
        yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        for side, rate in sorted(points.items()):
            yield f'<circle cx="{x(side):.1f}" cy="{y(rate):.1f}" r="3" fill="{colour}"/>'
        yield (f'<text x="{left + n % 2 * WIDTH / 2:.0f}" y="{TOP + HEIGHT + 36 + n // 2 * 15}" '
               f'fill="{colour}">{name}</text>')


def draw(works):
    deepest = max(len(lines_of) for lines_of in works.values())
    width = len(works) * (WIDTH + LEFT + RIGHT)
    height = TOP + HEIGHT + BOTTOM + max(0, deepest - 4) // 2 * 15
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           'font-family="sans-serif" font-size="12">')
    yield f'<rect width="{width}" height="{height}" fill="white"/>'
    yield (f'<text x="14" y="{TOP + HEIGHT / 2:.0f}" '
           f'transform="rotate(-90 14 {TOP + HEIGHT / 2:.0f})">Gcell/s</text>')
    for number, (work, lines_of) in enumerate(works.items()):
        yield from panel(number, work, lines_of)
    yield '</svg>'


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding='utf-8') as results:
        found = read(results)
    if not found:
        sys.exit('plot.py: no table of wavefronts in ' + sys.argv[1])
    sys.stdout.write('\n'.join(draw(found)) + '\n')
