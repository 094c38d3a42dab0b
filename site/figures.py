"""figures.py - the pictures of the tutorial: what patterns read, and what its programs compute."""
import array
import math
import subprocess
import sys

WIDTH, HEIGHT, LEFT, ABOVE, BELOW = 46, 32, 40, 8, 102      # of a cell; where the two rows are
LINK, WRONG = 'var(--link)', 'var(--wrong)'
# From cold to warm, or from few to many.
COLOURS = [(13, 8, 60), (84, 20, 120), (180, 45, 100), (240, 120, 50), (250, 215, 90),
           (255, 255, 240)]


def figure(inside, words):
    return f'<figure>{inside}<figcaption>{words}</figcaption></figure>'


def svg(width, height, parts, words):
    return figure(f'<div class="wide" tabindex="0"><svg viewBox="0 0 {width} {height}" '
                  f'width="{width}" height="{height}" role="img" aria-label="{words}">'
                  f'{"".join(parts)}</svg></div>', words)


def label(x, y, words, kind=''):
    return f'<text x="{x:g}" y="{y:g}" text-anchor="middle" class="{kind}">{words}</text>'


def box(x, y, width, height, fill, more=''):
    return (f'<rect x="{x:g}" y="{y:g}" width="{width}" height="{height}" fill="{fill}" '
            f'stroke="var(--quiet)" {more}/>')


def arrow(x, y, to_x, to_y, colour=LINK):
    """A line with a head, from one point to another."""
    angle = math.atan2(to_y - y, to_x - x)
    head = ' '.join(f'{to_x - 9 * math.cos(turn):.1f},{to_y - 9 * math.sin(turn):.1f}'
                    for turn in (angle - 0.4, angle + 0.4))
    return (f'<path d="M{x:g} {y:g}L{to_x:g} {to_y:g}" stroke="{colour}" stroke-width="1.5"/>'
            f'<polygon points="{to_x:g},{to_y:g} {head}" fill="{colour}"/>')


def left(i, first):
    """Where cell i is, if cell `first` is the leftmost one."""
    return LEFT + (i - first) * WIDTH


def row(name, y, cells, first, chosen):
    """The cells of an array; what is below 0 is outside."""
    out = label(12, y + 21, name, 'quiet')
    for i in cells:
        fill = 'none' if i < 0 else 'var(--mark)' if i in chosen else 'var(--code)'
        dash = 'stroke-dasharray="4 4"' if i < 0 else ''
        out += box(left(i, first), y, WIDTH, HEIGHT, fill, dash)
        out += label(left(i, first) + WIDTH / 2, y + 21, i)
    return out


def reads(names, first, reading, words):
    """Two arrays of eight cells: (the cell written, the cells read, the colour) as arrows."""
    read = {r for _, cells, _ in reading for r in cells}
    parts = [row(names[0], ABOVE, range(first, 8), first, read),
             row(names[1], BELOW, range(8), first, {w for w, _, _ in reading})]
    for written, cells, colour in reading:
        to = left(written, first) + WIDTH / 2
        parts += [arrow(left(r, first) + WIDTH / 2, ABOVE + HEIGHT + 2, to + 5 * (r - written),
                        BELOW - 2, colour) for r in cells]
    return svg(left(8, first) + 10, BELOW + HEIGHT + 8, parts, words)


def fold(words):
    to = left(4, 0)
    parts = [row('x', ABOVE, range(8), 0, range(8)),
             box(to - WIDTH / 2, BELOW, WIDTH, HEIGHT, 'var(--mark)'), label(to, BELOW + 21, 'sum')]
    parts += [arrow(left(i, 0) + WIDTH / 2, ABOVE + HEIGHT + 2, to + 3 * (i - 3.5), BELOW - 2)
              for i in range(8)]
    return svg(left(8, 0) + 10, BELOW + HEIGHT + 8, parts, words)


def array_box(x, y, width, name):
    return box(x, y, width, 30, 'var(--code)', 'rx="4"') + label(x + width / 2, y + 20, name)


def kernel_box(x, y, width, *lines):
    return box(x, y, width, 48, 'var(--mark)', 'rx="4"') + ''.join(
        label(x + width / 2, y + 20 + 18 * n, line) for n, line in enumerate(lines))


def fused(words):
    """Above, a kernel for each statement; below, one for both."""
    parts = [label(52, 40, 'two kernels', 'quiet'), array_box(110, 20, 50, 'a'),
             arrow(160, 35, 196, 35), kernel_box(200, 11, 110, 'kernel', 'step'),
             arrow(310, 35, 346, 35), array_box(350, 20, 50, 'b'), arrow(400, 35, 436, 35),
             kernel_box(440, 11, 110, 'kernel', 'reduce1'), arrow(550, 35, 586, 35),
             array_box(590, 20, 70, 'change'),
             f'<path d="M135 50v34h360" stroke="{LINK}" stroke-width="1.5" fill="none"/>',
             arrow(495, 84, 495, 61),
             label(52, 142, 'one kernel', 'quiet'), array_box(110, 122, 50, 'a'),
             arrow(160, 137, 196, 137),
             kernel_box(200, 113, 350, 'kernel: step, and reduce1', 'where a cell is computed'),
             arrow(550, 125, 586, 119), array_box(590, 102, 70, 'b'),
             arrow(550, 149, 586, 155), array_box(590, 142, 70, 'change')]
    return svg(670, 182, parts, words)


def colour(part):
    """The colour of a number from 0 to 1."""
    at = min(max(part, 0), 1) * (len(COLOURS) - 1)
    low = min(int(at), len(COLOURS) - 2)
    return tuple(round(a + (b - a) * (at - low)) for a, b in zip(COLOURS[low], COLOURS[low + 1]))


class Computed:
    """Pictures of what the programs of the tutorial compute, by the interpreter."""
    def __init__(self, site, work):
        self.site, self.work = site, work

    def run(self, program, result, kind, *values):
        (self.work / 'program.pat').write_text(program)
        subprocess.run([self.site.patc, 'run', 'program.pat', *values, '-o', f'{result}=out.raw'],
                       check=True, stdout=subprocess.DEVNULL, cwd=self.work)
        cells = array.array(kind)
        cells.frombytes((self.work / 'out.raw').read_bytes())
        return cells

    def image(self, file, cells, width, size, words):
        """A PNG, of numbers from 0 to 1; `size` pixels of the screen are a cell."""
        sys.path.insert(0, str(self.site.top / 'examples/common'))
        import picture
        picture.write(self.site.out / 'pictures' / file,
                      [[colour(v) for v in cells[at:at + width]]
                       for at in range(0, len(cells), width)])
        return figure(f'<img class="cells" src="pictures/{file}" alt="" width="{size * width}" '
                      f'height="{size * len(cells) // width}">', words)

    def plate(self, program):
        """A warm rectangle, and how its warmth has spread after some passes."""
        n, m = 48, 80
        start = array.array('f', [0] * n * m)
        for i in range(20, 28):
            start[i * m + 30:i * m + 50] = array.array('f', [100] * 20)
        (self.work / 'start.raw').write_bytes(start.tobytes())
        shown = ''
        for steps in (0, 50, 400):
            cells = self.run(program, 'a', 'f', 'a=start.raw', f'n={n}', f'm={m}', 'eps=0',
                             f'steps={steps}')
            shown += self.image(f'plate-{steps}.png', [v / 100 for v in cells], m, 4,
                                f'a plate after {steps} passes')
        return f'<div class="pictures">{shown}</div>'

    def mandelbrot(self, program):
        cells = self.run(program, 'image', 'B', 'n=200', 'm=300', 'scale=0.01')
        return self.image('mandelbrot.png', [math.log(v + 1) / math.log(21) for v in cells], 300, 2,
                          'patc run mandelbrot.pat n=200 m=300 scale=0.01: the steps of each pixel')


def tutorial(computed, programs):
    """{name: HTML} of the pictures that patc-tutorial(7) names; {file: program} of its programs."""
    return {
        'map': reads('xy', 0, [(3, [3], LINK)],
                     'map: a cell of y from the cell of x at the same index'),
        'stencil': reads('ab', -1, [(0, [-1, 1], WRONG), (4, [3, 5], LINK)],
                         'stencil: b[4] reads two neighbours; b[0] would read a[-1], outside'),
        'reduce': fold('reduce: all cells become one'),
        'fuse': fused('The reduce in the kernel of the stencil: the plate is read once'),
        'mandelbrot': computed.mandelbrot(programs['mandelbrot.pat']),
        'plate': computed.plate(programs['plate.pat']),
    }
