"""examples.py - each example with its pictures, its program, what patc says and writes of it."""
import os
import re
import shutil

import text
from frame import Page

MOST_LINES = 24                 # of what a program prints
MEASURED = ('climb.svg',)       # pictures that differ from run to run
ITEM = re.compile(r'^- \*\*(\w+)\*\*: (.*\n(?:  .*\n)*)', re.M)
MACHINE = re.compile(r'cpu: |wrote |film\d|.* written$')


def shown(folder):
    """The pictures of an example: its input, then what it has drawn; of a film four."""
    made = sorted((file.name for file in folder.iterdir() if file.suffix in ('.png', '.svg')),
                  key=lambda name: (name != 'input.png', name != 'before.png', name))
    film = [name for name in made if name.startswith('film')]
    kept = [film[(len(film) - 1) * n // 3] for n in range(4)] if film else []
    return [name for name in made if name not in film and name not in MEASURED] + kept


def picture(site, name, file):
    shutil.copyfile(site.made / name / file, site.out / 'pictures' / f'{name}-{file}')
    return (f'<figure><img src="pictures/{name}-{file}" alt="{file} of {name}" loading="lazy">'
            f'<figcaption>{file}</figcaption></figure>')


def printed(site, name):
    """What the program prints, without what depends on the machine."""
    said = (site.made / name / 'said').read_text().splitlines()
    lines = [line for line in said if not MACHINE.match(line)]
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [f'... ({len(lines) - MOST_LINES} more lines)']
    return text.plain_block('\n'.join(lines), 'what it prints') if lines else ''


def cuda_page(site, name, work):
    """The text for CUDA, on a page of its own: it is long."""
    site.says('-target=cuda', '-o', f'{work}/{name}.cu', f'--header={work}/{name}.h',
              f'{name}.pat', cwd=site.top / 'examples' / name)
    block = text.plain_block((work / f'{name}.cu').read_text(), f'{name}.cu')
    return Page(f'example-{name}-cuda.html', '', f'{name}.cu', f'{name} for CUDA', block,
                lead=f'Written by <code>patc -target=cuda {name}.pat</code>, '
                     f'of <a href="example-{name}.html">the example</a>', searched=False)


def neighbours(about, n):
    """Links to the example before the n-th one and to the one after it."""
    before, after = about[n - 1][0], about[(n + 1) % len(about)][0]
    return (f'One of <a href="examples.html">the examples</a>. '
            f'Previous: <a href="example-{before}.html" rel="prev">{before}</a>, '
            f'next: <a href="example-{after}.html" rel="next">{after}</a>')


def example_page(site, name, words, lead):
    folder = site.top / 'examples' / name
    remarks = site.says('--remarks', '-o', os.devnull, '--header=' + os.devnull, f'{name}.pat',
                        cwd=folder)
    pictures = ''.join(picture(site, name, file) for file in shown(site.made / name))
    body = (f'{site.part(text.capital(words))}<div class="pictures">{pictures}</div>'
            f'{printed(site, name)}\n<h2 id="program">{name}.pat</h2>'
            f'{site.pat((folder / f"{name}.pat").read_text())}\n'
            f'<h2 id="remarks">What patc remarks</h2>'
            f'{site.session(f"$ patc --remarks {name}.pat", remarks)}'
            f'<p><a href="example-{name}-cuda.html">What it writes for CUDA</a></p>\n'
            f'<h2 id="driver">The driver</h2><details><summary>main.c</summary>'
            f'{text.plain_block((folder / "main.c").read_text())}</details>')
    return Page(f'example-{name}.html', '', f'example {name}', name, body, lead)


def listed(site, name, words):
    """A picture, the name, and the begin of its paragraph."""
    files = shown(site.made / name)
    first = re.split(r'(?<=[.;:]) |, (?:by|with|which) ', ' '.join(words.split()))[0]
    image = (f'<a href="example-{name}.html" tabindex="-1" aria-hidden="true"><img loading="lazy" '
             f'src="pictures/{name}-{files[-1]}" alt=""></a>') if files else ''
    link = f'<a href="example-{name}.html">{name}</a>'
    return f'<li>{image}{link}: {text.escape(first.rstrip(".;: "))}</li>\n'


def pages(site, topic, work):
    source = site.read('examples/README.md')
    about = ITEM.findall(source)
    title, intro = site.markdown(source[:source.index(f'- **{about[0][0]}**')])
    rest = site.part(source[ITEM.search(source, source.index(f'- **{about[-1][0]}**')).end():])
    items = ''.join(listed(site, name, words) for name, words in about)
    out = [Page('examples.html', topic, 'Examples', title,
                f'{intro}<ul class="list">{items}</ul>{rest}')]
    for n, (name, words) in enumerate(about):
        words = re.sub(r'\n  ', '\n', words)
        out += [example_page(site, name, words, neighbours(about, n)), cuda_page(site, name, work)]
    return out
