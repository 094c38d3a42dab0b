"""markdown.py - Markdown as HTML, by cmark-gfm, with names of headings and links to pages."""
import re
import subprocess

import text

PROGRAM = re.compile(r'(//.*\n)*\s*(use|fn|struct|op|const|kernel) ')
SECTION = re.compile(r'<h2 id="([^"]*)">(.*?)</h2>(.*?)(?=<h2|\Z)', re.S)


def convert(source):
    return subprocess.run(['cmark-gfm', '-e', 'table'], input=source, check=True,
                          capture_output=True, text=True).stdout


def sections(body):
    """(name, heading, HTML) of each section of a page."""
    return [(name, text.plain(words), part) for name, words, part in SECTION.findall(body)]


def name_of(words, taken):
    """The name of a heading for links: its words in small letters, and a number if it is taken."""
    name = base = re.sub(r'\W+', '-', words.lower()).strip('-')
    number = 2
    while name in taken:
        name, number = f'{base}-{number}', number + 1
    taken.add(name)
    return name


def put_headings(body):
    taken = set()

    def put(found):
        level, words = found.groups()
        name = name_of(text.plain(words), taken)
        return f'<h{level} id="{name}"><a class="permalink" href="#{name}">{words}</a></h{level}>'
    return re.sub(r'<h(\d)>(.*?)</h\d>', put, body)


def put_blocks(body, words):
    def put(found):
        source = text.html.unescape(found[1])
        if PROGRAM.match(source):
            return text.block('pat', text.pat(source, words))
        return text.plain_block(source)
    return re.sub(r'<pre><code[^>]*>(.*?)</code></pre>', put, body, flags=re.S)


def put_links(body, links):
    """A link to a file of the project leads to its page, or is none where the file has no page."""
    def put(found):
        to, words = found.groups()
        if re.match(r'https?:|#', to):
            return found[0]
        return f'<a href="{links[to]}">{words}</a>' if to in links else words
    return re.sub(r'<a href="([^"]*)">(.*?)</a>', put, body, flags=re.S)


def put_tables(body):
    body = body.replace('<table>', '<div class="wide" tabindex="0"><table>')
    return body.replace('</table>', '</table></div>')


def part(source, words, links):
    """Markdown without a title, as HTML."""
    return put_tables(put_headings(put_links(put_blocks(convert(source), words), links)))


def page(source, words, links):
    """(the title, the HTML of what follows it)"""
    found = re.match(r'<h1 [^>]*>(.*?)</h1>(.*)', part(source, words, links), re.S)
    return text.plain(found[1]), found[2]
