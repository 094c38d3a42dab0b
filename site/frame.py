"""frame.py - what all pages share: head, navigation, and the index that the search reads."""
import dataclasses
import html.parser
import json
import re

import text

FEW = 5      # of fewer sections the navigation shows the parts, too
# Headings and terms with a name begin what a search finds; the rest of a page is their text.
BEGINS = ('h2', 'h3', 'h4', 'dt', 'li')
APART = ('p', 'li', 'dd', 'td', 'th', 'tr', 'div', 'figure', 'figcaption')
SKIPPED = ('style', 'script', 'svg', 'details')
UNSEARCHED = 'remarks'      # the section of an example that has the words of all passes

PAGE = '''<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="site.css">
<script src="site.js" defer></script>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header>
<a class="home" href="index.html">patc</a>
<a class="pages" href="#pages">Contents</a>
<form id="search" role="search" hidden>
<input type="search" placeholder="Search" aria-label="Search" autocomplete="off" spellcheck="false">
<kbd>/</kbd>
<div id="found" hidden></div>
</form>
</header>
<div class="sides">
<main id="main">
<h1>{heading}</h1>
{body}
</main>
<nav id="pages" aria-label="Pages">
{nav}
</nav>
</div>
</body>
</html>
'''


@dataclasses.dataclass
class Page:
    """A page: its topic in the navigation ('' is in none) and its short name there."""
    file: str
    topic: str
    short: str
    title: str
    body: str
    lead: str = ''
    searched: bool = True
    contents: bool = True       # the navigation shows its sections


class Sections(html.parser.HTMLParser):
    """[name, heading, text] of each section of a page."""
    def __init__(self, page):
        super().__init__()
        self.found, self.open, self.skipped = [['', page.title, '']], None, 0
        self.feed(page.lead + page.body)

    def handle_starttag(self, tag, attributes):
        self.skipped += tag in SKIPPED
        name = dict(attributes).get('id')
        if tag in APART:
            self.found[-1][2] += ' '
        if name and tag in BEGINS:
            self.found.append([name, '', ''])
            self.open = tag

    def handle_endtag(self, tag):
        self.skipped -= tag in SKIPPED
        if tag == self.open:
            self.open = None

    def handle_data(self, data):
        if not self.skipped:
            self.found[-1][1 if self.open else 2] += data


def entries(page):
    """[file#name, page, heading, text] of each section, for the search."""
    for name, heading, words in Sections(page).found:
        if name != UNSEARCHED:
            place = page.file + (f'#{name}' if name else '')
            yield [place, page.short, ' '.join(heading.split()), ' '.join(words.split())]


def index(pages):
    """The index is a script, because a page from a file may fetch nothing else."""
    rows = [json.dumps(entry, ensure_ascii=False)
            for page in pages if page.searched for entry in entries(page)]
    return 'patcIndex([\n' + ',\n'.join(rows) + ']);\n'


def sections(page):
    """The list of a page's sections, or nothing."""
    found = re.findall(r'<(h2) id="([^"]*)"[^>]*>(.*?)</h2>', page.body, re.S)
    if len(found) < FEW:
        found = re.findall(r'<(h[23]) id="([^"]*)"[^>]*>(.*?)</h[23]>', page.body, re.S)
    if len(found) < 2 or not page.contents:
        return ''
    return '<ol>' + ''.join(f'<li><a href="#{name}">{text.escape(text.plain(words))}</a></li>\n'
                            for _, name, words in found) + '</ol>'


def nav(pages, here):
    """All pages by topic; the one that is shown, with its sections."""
    out, topic = '', ''
    for page in pages:
        if page.topic and page.topic != topic:
            out += ('</ul>\n' if topic else '') + f'<h2>{page.topic}</h2>\n<ul>\n'
            topic = page.topic
        if page.topic:
            mark, inside = (' aria-current="page"', sections(page)) if page is here else ('', '')
            link = f'<a href="{page.file}"{mark}>{text.escape(page.short)}</a>'
            out += f'<li>{link}{inside}</li>\n'
    return out + '</ul>'


def write(page, pages, folder):
    title = page.title if page.title == 'patc' else f'{page.title} – patc'
    lead = f'<p class="lead">{page.lead}</p>\n' if page.lead else ''
    (folder / page.file).write_text(PAGE.format(
        title=text.escape(title), heading=text.escape(page.title), nav=nav(pages, page),
        body=lead + page.body))
