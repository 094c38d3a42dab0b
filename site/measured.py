"""measured.py - the suites' programs, and the tables of measurements with their plots."""
import re
import shutil

import markdown
import plots
import text
from frame import Page

SUITES = {'polybench': 'PolyBench', 'prk': 'Parallel Research Kernels', 'rodinia': 'Rodinia'}
ANCHORS = ('Each dot is a row of the tables below: the time of the anchor over that of patc. Right '
           'of 1 patc is faster. The line is the geometric mean of a section. Rows whose anchor is '
           'another kernel of patc are left out. Rows that later ones replace are in.')
PLAIN = ('On the GPU, the time of plain CUDA over that of patc. Right of 1 patc is faster. The '
         'line is the geometric mean.')


def sentences(body):
    """{(suite, program): its row} of the tables of bench/SUITES.md."""
    found = {}
    for _, title, part in markdown.sections(body):
        for row in plots.rows_of(part)[1:]:
            name, lines, _, kernels, sizes, cpu, loops, _, gpu, cuda, _ = map(text.plain, row)
            gpus = f'; GPU {gpu} ms, plain CUDA {cuda} ms' if gpu else ''
            found[title, name] = (
                f'<p>{lines} lines, {kernels} kernels for CUDA. CPU {cpu} ms, plain loops with '
                f'OpenMP {loops} ms{gpus}, with {sizes}.</p>')
    return found


def suite_page(site, topic, suite, rows):
    body, title = '', SUITES[suite]
    for file in sorted((site.top / 'examples/suites' / suite).glob('*.pat')):
        name = file.stem
        body += (f'<h2 id="{name}"><a class="permalink" href="#{name}">{name}</a></h2>\n'
                 f'{rows.get((title, name), "")}'
                 f'{site.pat(file.read_text(), caption=file.name)}'
                 f'<details><summary>The same in plain loops of C</summary>'
                 f'{text.plain_block(file.with_suffix(".c").read_text(), f"{name}.c")}</details>\n')
    return Page(f'suite-{suite}.html', topic, title, title, body,
                lead='Programs of the suite, each beside plain loops. '
                     '<a href="suites.html">What was measured</a>, '
                     '<a href="about-suites.html">what differs</a>')


def suite_pages(site, topic):
    rows = sentences(site.markdown(site.read('bench/SUITES.md'))[1])
    return [suite_page(site, topic, suite, rows) for suite in SUITES]


def with_summary(body, words):
    return plots.summary(body, words) + plots.with_plots(body)


def pages(site, topic):
    shutil.copyfile(site.top / 'bench/orders.svg', site.out / 'pictures/orders.svg')
    results = site.markdown(site.read('bench/RESULTS.md'))[1]
    results = results.replace('src="orders.svg"', 'src="pictures/orders.svg"')
    suites = site.markdown(site.read('bench/SUITES.md'))[1]
    return [Page('measurements.html', topic, 'Kernels', 'Kernels, measured',
                 with_summary(results, ANCHORS)),
            Page('suites.html', topic, 'The three suites', 'The three suites, measured',
                 with_summary(suites, PLAIN)),
            site.page('bench/COOKBOOK.md', 'cookbook-measured.html', topic, 'The cookbook'),
            site.page('examples/suites/README.md', 'about-suites.html', topic, 'About the suites'),
            site.page('bench/README.md', 'measuring.html', topic, 'How it is measured')]
