"""manual.py - a manual page as HTML, by mandoc, with coloured programs and links."""
import re
import subprocess

import text

ESCAPES = {r'\-': '-', r'\&': '', r'\(ha': '^', r'\(ti': '~', r'\(aq': "'", r'\(ga': '`',
           r'\(dq': '"', r'\[u25CB]': '○', r'\[u25C7]': '◇', r'\e': '\\'}
# Words of headings that are not written in small letters.
NAMES = {'cuda': 'CUDA', 'c': 'C', 'c++': 'C++', 'cub': 'CUB', 'thrust': 'Thrust',
         'halide': 'Halide', 'triton': 'Triton'}
EXAMPLE = re.compile(r'(?:^\.\\" example (?P<kind>[^\n]*)\n)?^\.EX\n(?P<text>.*?)^\.EE$',
                     re.M | re.S)
PICTURE = re.compile(r'^\.\\" picture (\w+)$', re.M)
BODY = re.compile(r'id="NAME">.*?<p class="Pp">(.*?)</p>\s*</section>(.*?)</div>'
                  r'\s*<table class="foot">', re.S)


def examples(source):
    """(kind, file, text) of each block .EX, in order; tests/manual.sh lists the kinds."""
    for found in EXAMPLE.finditer(source):
        kind, _, rest = (found['kind'] or '').partition(' ')
        named = kind in ('ok', 'file') or kind.startswith('P')
        lines = re.sub(r'\\(?:\(..|\[\w+\]|.)', lambda e: ESCAPES[e[0]], found['text'])
        yield kind, rest if named else '', lines


def example(kind, file, lines, words):
    first = re.match(r'\w*', lines)[0]
    if kind == 'session' or lines.startswith('$ '):
        return text.block('session', text.session(lines))
    if kind.startswith('P'):
        return text.block('wrong', text.pat(lines, words), file)
    if (kind == 'ok' or file.endswith(('.pat', '.sched'))
            or not kind and words.get(first) in ('p', 'k')):
        return text.block('pat', text.pat(lines, words), file)
    return text.plain_block(lines, file)


def heading(words):
    """A heading in capitals as a sentence has it."""
    if words != words.upper():
        return words
    return text.capital(' '.join(NAMES.get(word, word) for word in words.lower().split()))


def put_blocks(body, source, words):
    """mandoc loses empty lines and the begin of others: the blocks are those of the source."""
    blocks = [example(*each, words) for each in examples(source)]
    assert body.count('<pre>') == len(blocks), 'a block .EX was not found'
    rest = iter(blocks)
    return re.sub(r'<pre>.*?</pre>', lambda _: next(rest), body, flags=re.S)


def put_headings(body):
    def put(found):
        level, name = int(found[1]) + 1, found[2]
        words = text.escape(heading(text.plain(found[3])))
        return (f'<h{level} id="{name}"><a class="permalink" href="#{name}">{words}</a></h{level}>')
    return re.sub(r'<h(\d) class="S[hs]" id="([^"]*)">(.*?)</h\d>', put, body, flags=re.S)


def put_tables(body, words):
    """The first row is the head; statements are coloured; a table wider than the page scrolls."""
    def statement(found):
        source = ' '.join(text.html.unescape(found[1]).split())
        return f'<code>{text.pat(source, words)}</code>'

    def put(found):
        head = re.sub(r'<td(.*?)>(.*?)</td>', r'<th\1>\2</th>', found[1], flags=re.S)
        rows = re.sub(r'<b>([^<]*;)</b>', statement, found[2])
        return f'<div class="wide" tabindex="0"><table>{head}{rows}</table></div>'
    return re.sub(r'<table class="tbl">(\s*<tr>.*?</tr>)(.*?)</table>', put, body, flags=re.S)


def put_references(body, pages):
    def link(found):
        page = pages.get(f'{found[1]}.{found[2]}')
        return f'<a href="{page}">{found[0]}</a>' if page else found[0]
    return re.sub(r'<b>(patc[\w-]*)</b>\((\d)\)', link, body)


def put_sections(body):
    """Words in capitals that are the heading of a section become a link to it."""
    names = {name.replace('_', ' '): name for name in re.findall(r'<h2 id="([^"]*)"', body)}
    words = [name for name in names if len(name) > 4 and name == name.upper()]
    find = re.compile(r'\b(' + '|'.join(sorted(words, key=len, reverse=True)) + r')\b')

    def link(found):
        return f'<a href="#{names[found[1]]}">{found[1]}</a>'
    return text.in_text(body, lambda part: find.sub(link, part))


def page(source, words, pages, pictures):
    """(what NAME says, the HTML of all other sections) of a manual page."""
    marked = PICTURE.sub(r'.PP\nPICTURE:\1\n.PP', source)      # mandoc drops comments
    body = subprocess.run(['mandoc', '-T', 'html', '-O', 'fragment'], input=marked, check=True,
                          capture_output=True, text=True).stdout
    name, rest = BODY.search(put_blocks(body, source, words)).groups()
    rest = re.sub(r'<p class="Pp">PICTURE:(\w+)</p>', lambda found: pictures[found[1]], rest)
    rest = re.sub(r'<(/?section|br/?)\b[^>]*>|<p class="Pp">\s*</p>', '', rest)
    rest = put_sections(put_references(put_tables(put_headings(rest), words), pages))
    rest = re.sub(r' class="(Pp|Bl-\w+)[^"]*"', '', rest)
    return text.capital(text.plain(name).partition(' - ')[2]), rest
