"""plots.py - tables of measurements with plots of their ratios."""
import math
import re
import statistics

import markdown
import text

RATIO = re.compile(r'ratio$|times faster$')
OURS = re.compile(r'as chosen|\bours?\b|pinned')     # anchors that are kernels of patc, too
END = math.log10(30)
SHORT = 40      # letters of a cell that stays on one line
CELL = re.compile(r'<t[hd][^>]*>(.*?)</t[hd]>', re.S)


def number(cell):
    """The number that a cell begins with, or None."""
    found = re.match(r'[0-9.]+(?![\w.])', text.plain(cell))
    return float(found[0]) if found else None


def rows_of(table):
    return [CELL.findall(row) for row in re.findall(r'<tr>(.*?)</tr>', table, re.S)]


def dot(at, value):
    """A mark at a place in per cent."""
    kind = ' class="below"' if value < 1 else ''
    return f'<i{kind} style="--at:{at:.1f}%"></i>'


def scale(value):
    """A cell with a dot at the logarithm of the ratio, 0.1 at the left end, 10 at the right one."""
    inside = dot(50 + 46 * min(max(math.log10(value), -1), 1), value) if value else ''
    return f'<td class="scale">{inside}</td>'


def kind(column):
    """The class of a column: of numbers, of short words, or none."""
    if sum(number(cell) is not None for cell in column) * 2 > len(column):
        return 'number'
    return 'short' if max(len(text.plain(cell)) for cell in column) < SHORT else 'long'


def plotted(table):
    """A table with a dot beside each ratio."""
    head, *rows = rows_of(table)
    kinds = ['short'] + [kind([row[n] for row in rows]) for n in range(1, len(head))]

    def line(cells, tag, last):
        out = ''
        for cell, kind, title in zip(cells, kinds, head):
            out += f'<{tag} class="{kind}">{cell}</{tag}>'
            out += last(cell) if RATIO.search(text.plain(title)) else ''
        return f'<tr>{out}</tr>\n'
    ticks = '<th class="scale"><b>0.1</b><b>1</b><b>10</b></th>'
    return (f'<table><thead>{line(head, "th", lambda cell: ticks)}</thead><tbody>\n'
            + ''.join(line(row, 'td', lambda cell: scale(number(cell))) for row in rows)
            + '</tbody></table>')


def with_plots(body):
    return re.sub(r'<table>.*?</table>', lambda found: plotted(found[0]), body, flags=re.S)


def ratios(part):
    """The ratios of the tables in a part of a page, of the last column that has some."""
    found = []
    for table in re.findall(r'<table>.*?</table>', part, re.S):
        head, *rows = rows_of(table)
        columns = [n for n, cell in enumerate(head) if RATIO.search(text.plain(cell))]
        for row in rows if columns else []:
            value = number(row[columns[-1]])
            if value and not any(OURS.search(text.plain(cell)) for cell in row[1:]):
                found.append(value)
    return found


def place(value):
    """The place of a ratio, from 1/30 to 30; what is beyond is at the ends."""
    return 50 + 50 * min(max(math.log10(value), -END), END) / END


def strip(name, title, found):
    """A section: its ratios, and their geometric mean."""
    mean = math.exp(statistics.fmean(math.log(value) for value in found))
    dots = ''.join(dot(place(value), value) for value in sorted(found))
    return (f'<a href="#{name}">{text.escape(title)}</a><span class="strip" role="img" '
            f'aria-label="{len(found)} rows, geometric mean {mean:.2f}">{dots}'
            f'<b style="--at:{place(mean):.1f}%"></b></span>\n')


def summary(body, words):
    """A row of dots for each section of a page."""
    rows = ''.join(strip(name, title, found) for name, title, part in markdown.sections(body)
                   if (found := ratios(part)))
    ticks = ''.join(f'<u style="--at:{place(tick):.1f}%">{tick:g}</u>'
                    for tick in (0.1, 0.3, 1, 3, 10))
    return (f'<figure class="strips"><div>{rows}<span></span><span class="ticks">{ticks}</span>'
            f'</div><figcaption>{words}</figcaption></figure>')
