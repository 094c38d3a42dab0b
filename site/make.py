#!/usr/bin/env python3
"""make.py PATC TOP PICTURES OUT - the site: static HTML of the manual pages, the tutorial, the
examples, the diagnostics and the measurements, with a search that needs no server.

PATC is the compiler, TOP the folder of the sources, PICTURES what pictures.sh has made; OUT is made
anew.  The same sources give the same bytes.  Needs mandoc and cmark-gfm."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import diagnostics
import examples
import figures
import frame
import manual
import markdown
import measured
import text
from frame import Page

START, MANUALS, PROGRAMS, MEASURED, PROJECT = (
    'Start', 'Manual pages', 'Programs', 'Measurements', 'The project')
# Manual pages that have a title of their own; the others are listed by their names.
TITLED = {'patc-tutorial.7': ('tutorial.html', 'Tutorial'),
          'patc-from.7': ('from.html', 'From CUDA, CUB, Thrust, Halide, Triton'),
          'patc-cookbook.7': ('cookbook.html', 'Cookbook')}
# The pages of other files.
FILES = {'README.md': 'index.html', 'HACKING.md': 'hacking.html', 'CHANGELOG.md': 'changelog.html',
         'CONTRIBUTING.md': 'contributing.html', 'examples/README.md': 'examples.html',
         'examples/suites/README.md': 'about-suites.html', 'bench/RESULTS.md': 'measurements.html',
         'bench/README.md': 'measuring.html', 'bench/COOKBOOK.md': 'cookbook-measured.html',
         'bench/SUITES.md': 'suites.html',
         'diagnostics.html': 'diagnostics.html'}


def listed_manuals(folder):
    """Commands, then what is about files."""
    pages = sorted(folder.glob('*.[17]'), key=lambda page: (page.suffix, page.stem))
    return [page.name for page in pages if page.name not in TITLED]


class Site:
    """What the pages are made from: the compiler, the sources, the pictures of the examples."""
    def __init__(self, patc, top, made, out):
        self.patc, self.top, self.made, self.out = os.path.realpath(patc), top, made, out
        self.words = text.words_of(self.patc)
        self.groups = diagnostics.groups(self.read('src/base/diag.def'))
        self.codes = {code for _, codes in self.groups for code in codes}
        self.listed = listed_manuals(top / 'man')
        self.manuals = {name: f'{name}.html' for name in self.listed}
        self.manuals |= {name: file for name, (file, _) in TITLED.items()}
        self.links = FILES | {f'man/{name}': file for name, file in self.manuals.items()}

    def read(self, path):
        return (self.top / path).read_text()

    def says(self, *arguments, cwd=None):
        """What patc prints, errors included."""
        done = subprocess.run([self.patc, *arguments], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, cwd=cwd)
        return done.stdout.decode(errors='surrogateescape')

    def pat(self, source, kind='pat', caption=''):
        return text.block(kind, text.pat(source, self.words), caption)

    def session(self, command, said):
        return text.block('session', text.session(f'{command}\n{said}'))

    def part(self, source):
        return text.link_codes(markdown.part(source, self.words, self.links), self.codes)

    def markdown(self, source):
        title, body = markdown.page(source, self.words, self.links)
        return title, text.link_codes(body, self.codes)

    def page(self, path, file, topic, short, **more):
        """The page of a Markdown file."""
        return Page(file, topic, short, *self.markdown(self.read(path)), **more)

    def manual(self, name, topic, pictures):
        lead, body = manual.page(self.read(f'man/{name}'), self.words, self.manuals, pictures)
        _, title = TITLED.get(name, (None, f'{name[:-2]}({name[-1]})'))
        return Page(self.manuals[name], topic, title, title, text.link_codes(body, self.codes),
                    lead='' if title in lead else lead)


def tutorial_programs(site):
    """(file, program) of the tutorial, in its order."""
    source = site.read('man/patc-tutorial.7')
    return [(file, lines) for _, file, lines in manual.examples(source) if file.endswith('.pat')]


def tutorial_page(site, work):
    computed = figures.Computed(site, work)
    pictures = figures.tutorial(computed, dict(tutorial_programs(site)))
    return site.manual('patc-tutorial.7', START, pictures)


def inserted(site, work):
    """{name: HTML} of what index.md has in place of INSERT:name."""
    _, wrong, right = [lines for file, lines in tutorial_programs(site) if file == 'smooth.pat']
    heat = re.search(r'```\n(// heat.pat.*?)```', site.read('README.md'), re.S)[1]
    (work / 'smooth.pat').write_text(wrong)
    refused = site.says('smooth.pat', cwd=work)
    (work / 'smooth.pat').write_text(right)
    remarks = site.says('--remarks', 'smooth.pat', cwd=work)
    source, header = (work / 'smooth.cu').read_text(), (work / 'smooth.h').read_text()
    kernel = re.search(r'static __global__ .*?\n}\n', source, re.S)[0]
    declared = re.findall(r'^(?:size_t|int|const char \*)[^;{]*;', header, re.M)
    return {'heat': site.pat(heat), 'wrong': site.pat(wrong, 'wrong'),
            'right': site.pat(right, 'right'), 'kernel': text.plain_block(kernel),
            'refused': site.session('$ patc smooth.pat', refused),
            'header': text.plain_block('\n'.join(declared)),
            'remarks': site.session('$ patc --remarks smooth.pat', remarks)}


def first_page(site, work):
    inserts = inserted(site, work)
    title, body = site.markdown(site.read('site/index.md'))
    body = re.sub(r'<p>INSERT:(\w+)</p>', lambda found: inserts[found[1]], body)
    return Page('index.html', START, 'Overview', title, text.link_codes(body, site.codes),
                contents=False)


def pages_of(site, work):
    return [first_page(site, work), tutorial_page(site, work),
            site.manual('patc-from.7', START, {}),
            site.manual('patc-cookbook.7', START, {}),
            *(site.manual(name, MANUALS, {}) for name in site.listed),
            diagnostics.page(site, MANUALS),
            *examples.pages(site, PROGRAMS, work), *measured.suite_pages(site, PROGRAMS),
            *measured.pages(site, MEASURED),
            site.page('CHANGELOG.md', 'changelog.html', PROJECT, 'Changelog', contents=False),
            site.page('HACKING.md', 'hacking.html', PROJECT, 'Working on patc'),
            site.page('CONTRIBUTING.md', 'contributing.html', PROJECT, 'Contributing')]


def main(patc, top, made, out):
    for tool in ('mandoc', 'cmark-gfm'):
        if not shutil.which(tool):
            sys.exit(f'site/make.py: {tool} is not there; on Debian: apt-get install {tool}')
    shutil.rmtree(out, ignore_errors=True)
    (out / 'pictures').mkdir(parents=True)
    site = Site(patc, top, made, out)
    with tempfile.TemporaryDirectory() as work:
        pages = pages_of(site, pathlib.Path(work))
    for page in pages:
        frame.write(page, pages, out)
    (out / 'search.js').write_text(frame.index(pages))
    for file in ('site.css', 'site.js'):
        shutil.copyfile(top / 'site' / file, out / file)


if __name__ == '__main__':
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    main(sys.argv[1], *map(pathlib.Path, sys.argv[2:]))
