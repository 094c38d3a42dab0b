"""diagnostics.py - each code with its two programs, and what patc says of the wrong one."""
import concurrent.futures
import os
import pathlib
import re
import tempfile

import markdown
import text
from frame import Page

ROW = re.compile(r'^/\* ---- P\d\dxx: (.*?) ----|^DIAG\((\d+),', re.M)


def groups(table):
    """[(title, [code])] in the order of diag.def, whose comments begin the groups."""
    found = []
    for title, code in ROW.findall(table):
        if title:
            found.append((title, []))
        else:
            found[-1][1].append(f'P{int(code):04d}')
    return found


def explained(said):
    """(summary, the program that fails, the one that works) of `patc --explain`."""
    summary = said.split('\n', 1)[0].partition(': ')[2]
    programs = re.split(r'^This .*:\n\n', said, flags=re.M)[1:]
    programs = [re.sub(r'^    ', '', part, flags=re.M).strip('\n') + '\n' for part in programs]
    return summary, *(programs + ['', ''])[:2]


def told(site, code, wrong):
    """What patc says of a program; P07xx are said of tests."""
    way = ['-Wall', '-o', os.devnull, '--header=' + os.devnull]
    with tempfile.TemporaryDirectory() as work:
        (pathlib.Path(work) / 'wrong.pat').write_bytes(wrong.encode(errors='surrogateescape'))
        return site.says(*(['test'] if code.startswith('P07') else way), 'wrong.pat', cwd=work)


def section(site, code):
    """(the summary, the HTML or nothing if no short program shows the code)"""
    summary, wrong, right = explained(site.says('--explain', code))
    if not wrong:
        return summary, ''
    title = f'<a class="permalink" href="#{code}">{code} {text.escape(summary)}</a>'
    verb = 'this is warned of' if code.startswith('P08') else 'this fails'
    programs = site.pat(text.visible(wrong), 'wrong', verb)
    programs += site.pat(text.visible(right), 'right', 'this works') if right else ''
    said = text.plain_block(text.visible(told(site, code, wrong)), 'what patc says')
    return summary, f'<h3 id="{code}">{title}</h3><div class="two">{programs}</div>{said}\n'


def listed(code, summary, body):
    """The line of a code in the list of its group: all that there is of one without programs."""
    if body:
        return f'<li><a href="#{code}">{code}</a> {text.escape(summary)}</li>\n'
    return f'<li id="{code}">{code} {text.escape(summary)}</li>\n'


def page(site, topic):
    body, codes = '', sorted(site.codes)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        of = dict(zip(codes, pool.map(lambda code: section(site, code), codes)))
    for title, codes in site.groups:
        lines = ''.join(listed(code, *of[code]) for code in codes)
        name, heading = markdown.name_of(title, set()), text.escape(text.capital(title))
        body += f'<h2 id="{name}">{heading}</h2>\n<ul class="codes">{lines}</ul>\n'
        body += ''.join(of[code][1] for code in codes)
    return Page('diagnostics.html', topic, 'Errors and warnings', 'Errors and warnings', body,
                lead='Each code that a short program can show has that program, what patc says, '
                     'and a program that is right.')
