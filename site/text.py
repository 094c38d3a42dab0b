"""text.py - program text and words as HTML: what is coloured, what is linked.

The words of the language are those that `patc --list-words` lists, as in the files for editors."""
import functools
import html
import re
import subprocess

PAT = re.compile(r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"[^"\n]*")'
                 r'|(?P<number>\b\d\w*(?:\.\d\w*)?(?:(?<=[eE])[-+]\d\w*)?)'
                 r'|(?P<label>(?m:^)[ \t]*[A-Za-z_]\w*(?=:))|(?P<word>[A-Za-z_]\w*)', re.S)
CODE = re.compile(r'\bP0\d{3}\b')
TAG = re.compile(r'(<[^>]*>)')
LINKED = re.compile(r'<(/?)(?:a|h\d|script|svg)\b')
UNSEEN = re.compile('[\u200b-\u200f\u202a-\u202e\u2066-\u2069]')
# Classes of site.css: they are fewer than the kinds of words.
OF_WORDS = {'keyword': 'k', 'mode': 'k', 'clause': 'c', 'pattern': 'p', 'type': 't',
            'literal': 'n', 'fold': 'f', 'function': 'f'}
OF_TOKENS = {'comment': 'o', 'string': 's', 'number': 'n', 'label': 'l'}

escape = functools.partial(html.escape, quote=False)


def words_of(patc):
    """{word: class}, from the compiler's own table."""
    listed = subprocess.run([patc, '--list-words'], check=True, capture_output=True, text=True)
    pairs = (line.split() for line in listed.stdout.splitlines())
    return {word: OF_WORDS[kind] for kind, word in pairs}


def pat(source, words):
    """A program of patc, coloured."""
    def colour(token):
        kind = OF_TOKENS.get(token.lastgroup) or words.get(token[0])
        body = escape(token[0])
        return f'<span class="{kind}">{body}</span>' if kind else body
    out, at = '', 0
    for token in PAT.finditer(source):
        out += escape(source[at:token.start()]) + colour(token)
        at = token.end()
    return out + escape(source[at:])


def session(source):
    """Commands and what they print: the commands stand out."""
    return re.sub(r'(?m)^(\$ .*)$', r'<b>\1</b>', escape(source))


def block(kind, inside, caption=''):
    """Text that keeps its lines; a wide one scrolls, by the keyboard, too."""
    head = f'<figcaption>{escape(caption)}</figcaption>' if caption else ''
    return (f'<figure class="code">{head}<pre class="{kind}" tabindex="0">'
            f'<code>{inside.rstrip()}\n</code></pre></figure>')


def plain_block(source, caption=''):
    return block('plain', escape(source), caption)


def in_text(body, change):
    """`body` with change(text) for all text outside of tags, links and headings."""
    out, inside = [], 0
    for part in TAG.split(body):
        if tag := LINKED.match(part):
            inside += -1 if tag[1] else 1
        out.append(part if inside or part.startswith('<') else change(part))
    return ''.join(out)


def link_codes(body, codes):
    """Codes of diagnostics become links to what explains them."""
    def link(found):
        code = found[0]
        return f'<a href="diagnostics.html#{code}">{code}</a>' if code in codes else code
    return in_text(body, lambda part: CODE.sub(link, part))


def visible(program):
    """A program with names in place of bytes and characters that a page cannot show."""
    program = re.sub(r'\r(?!\n)', '<CR>', program.replace('\r\n', '\n'))
    program = UNSEEN.sub(lambda found: f'<U+{ord(found[0]):04X}>', program)
    return re.sub('[\udc80-\udcff]', lambda found: f'<{ord(found[0]) - 0xdc00:02X}>', program)


def plain(body):
    """The text of HTML, on one line."""
    return ' '.join(html.unescape(TAG.sub(' ', body)).split())


def capital(words):
    return words[:1].upper() + words[1:]
