#!/usr/bin/env python3
"""site.py FOLDER PATC [--pictures=DIR] - the site in a headless Chromium, by the DevTools protocol.

Every link and every address of a page leads to something; each page loads without an error of its
scripts or files; no page is wider than a screen of 360 pixels; all text has a contrast of 4.5 to
what is below it, in both colour schemes; the search finds words; programs that no other test
compiles are accepted.  One line a failure.
--pictures keeps pictures of some pages, to be looked at."""
import base64
import html
import html.parser
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.parse

CONTRAST = 4.5
WIDE, NARROW = (1280, 900), (360, 740)
# What is among the first five that a search finds.
SEARCHES = {'scan': 'patc-patterns.7.html#scan', 'P0203': 'diagnostics.html#P0203',
            'boundary clamp': 'patc-patterns.7.html', 'DeviceRadixSort': 'from.html#CUB_AND_THRUST',
            'workspace stream': 'tutorial.html', 'gray_scott': 'example-gray_scott.html'}
PICTURED = ['index', 'tutorial', 'from', 'patc.1', 'patc-patterns.7', 'diagnostics', 'examples',
            'example-heat', 'measurements', 'suites', 'suite-rodinia']
FAILURES = ('Runtime.exceptionThrown', 'Runtime.consoleAPICalled', 'Log.entryAdded',
            'Network.loadingFailed')

# Pages whose programs are those of manual pages, examples, suites or diag.def: others test them.
COOKBOOK = str(pathlib.Path(__file__).parent.parent / 'examples' / 'cookbook')
TESTED = re.compile(r'(patc.*\.\d|tutorial|from|example-.*|suite-.*|diagnostics)\.html')
PROGRAM = re.compile(r'<pre class="(?:pat|right)" tabindex="0"><code>(.*?)</code>', re.S)

# [contrast, colours, words] of each pair of colours in which text is shown.
CONTRASTS = '''(() => {
	const canvas = document.createElement("canvas");
	const probe = canvas.getContext("2d", { willReadFrequently: true });
	const rgb = (colour) => {
		probe.clearRect(0, 0, 1, 1);
		probe.fillStyle = colour;
		probe.fillRect(0, 0, 1, 1);
		return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
	};
	const linear = (v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
	const light = (colour) => {
		const [r, g, b] = rgb(colour).map((v) => linear(v / 255));
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const below = (node) => {
		for (; node; node = node.parentElement) {
			const style = getComputedStyle(node).backgroundColor;
			if (!/rgba\\(.*, 0\\)|transparent/.test(style))
				return style;
		}
		return "white";
	};
	const pairs = new Map();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let text; text = walk.nextNode(); ) {
		const at = text.parentElement;
		if (!text.data.trim() || at.closest("script, style") || !at.checkVisibility())
			continue;
		const svg = at.closest("svg"), style = getComputedStyle(at);
		const pair = [svg ? style.fill : style.color, below(svg ? svg.parentElement : at)];
		pairs.set(pair.join(" on "), [...pair, text.data.trim().slice(0, 40)]);
	}
	return [...pairs].map(([key, [front, back, words]]) => {
		const a = light(front), b = light(back);
		return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), key, words];
	});
})()'''
# What makes a page wider than the screen, and does not scroll by itself.
TOO_WIDE = '''document.documentElement.scrollWidth <= innerWidth ? [] :
	["the page", ...[...document.querySelectorAll("main *, header *, nav *")]
		.filter((e) => e.getBoundingClientRect().right > innerWidth + 1)
		.filter((e) => !e.parentElement.closest("pre, .wide"))
		.slice(0, 3).map((e) => e.outerHTML.slice(0, 90))]'''
FOUND = '''(async () => {
	const input = document.querySelector("#search input");
	const found = document.getElementById("found");
	input.focus();
	input.value = WORDS;
	for (let n = 0; n < 200 && !found.querySelector("a, p"); n++) {
		input.dispatchEvent(new Event("input"));
		await new Promise((done) => setTimeout(done, 10));
	}
	return [...found.querySelectorAll("a")].map((a) => a.getAttribute("href"));
})()'''


class Names(html.parser.HTMLParser):
    """The names of a page, and where it leads to."""
    def __init__(self, source):
        super().__init__()
        self.names, self.leads, self.twice = set(), [], []
        self.feed(source)

    def handle_starttag(self, tag, attributes):
        for key, value in attributes:
            if key == 'id' and value in self.names:
                self.twice.append(value)
            if key == 'id':
                self.names.add(value)
            if key in ('href', 'src') and not value.startswith(('data:', 'https:', 'http:')):
                self.leads.append(value)


def read(path):
    return path.read_text(encoding='utf-8')


def searched(folder):
    """Where the rows of the index lead to."""
    rows = read(folder / 'search.js').removeprefix('patcIndex(').removesuffix(');\n')
    return [row[0] for row in json.loads(rows)]


def links(folder):
    """What is wrong with the links of all pages, without a browser."""
    pages = {page.name: Names(read(page)) for page in sorted(folder.glob('*.html'))}
    reached = {'index.html'}
    for name, page in pages.items():
        yield from (f'{name}: the name {twice} is there twice' for twice in page.twice)
        for lead in page.leads:
            to, _, part = urllib.parse.unquote(lead).partition('#')
            to = to or name
            reached.add(to)
            if not (folder / to).is_file():
                yield f'{name}: no file {to}'
            elif part and part not in pages[to].names:
                yield f'{name}: no {part} in {to}'
    yield from (f'nothing leads to {name}' for name in pages if name not in reached)
    for lead in searched(folder):
        to, _, part = lead.partition('#')
        if part and part not in pages[to].names:
            yield f'search.js: no {part} in {to}'


def programs(folder, patc):
    """What is wrong with programs of other pages than TESTED."""
    for file in sorted(folder.glob('*.html')):
        for body in [] if TESTED.fullmatch(file.name) else PROGRAM.findall(read(file)):
            program = html.unescape(re.sub('<[^>]*>', '', body))
            done = subprocess.run([patc, '-target=cpu', '-I', COOKBOOK, '-o', '-', '/dev/stdin'],
                                  input=program, capture_output=True, text=True)
            if done.returncode or done.stderr:
                yield f'{file.name}: {done.stderr}'


class Browser:
    """Chromium.  Messages end with a zero byte; it reads them from its file 3, and writes to 4."""
    def __init__(self, work):
        (reads, self.input), (output, writes) = os.pipe(), os.pipe()

        def files():
            spare = [os.dup(reads), os.dup(writes)]
            os.dup2(spare[0], 3)
            os.dup2(spare[1], 4)
        self.process = subprocess.Popen(
            ['chromium', '--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
             '--hide-scrollbars', '--no-first-run', '--disable-extensions',
             f'--user-data-dir={work}', '--remote-debugging-pipe'],
            preexec_fn=files, close_fds=False, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(reads)
        os.close(writes)
        self.output, self.numbers = os.fdopen(output, 'rb'), itertools.count(1)
        self.session, self.events = None, []
        target = self.ask('Target.createTarget', url='about:blank')['targetId']
        attached = self.ask('Target.attachToTarget', targetId=target, flatten=True)
        self.session = attached['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.ask(f'{domain}.enable')

    def receive(self):
        message = bytearray()
        while (byte := self.output.read(1)) != b'\0':
            if not byte:
                sys.exit('chromium has ended')
            message += byte
        return json.loads(message)

    def ask(self, method, **params):
        message = {'id': next(self.numbers), 'method': method, 'params': params}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.input, json.dumps(message).encode() + b'\0')
        while (answer := self.receive()).get('id') != message['id']:
            self.events.append(answer)
        if 'error' in answer:
            sys.exit(f'{method}: {answer["error"]}')
        return answer['result']

    def value(self, script):
        answer = self.ask('Runtime.evaluate', expression=script, returnByValue=True,
                          awaitPromise=True)
        if 'exceptionDetails' in answer:
            sys.exit(str(answer['exceptionDetails']))
        return answer['result'].get('value')

    def show(self, address):
        """Loads a page; gives what went wrong."""
        self.events = []
        self.ask('Page.navigate', url=address)
        while not any(event['method'] == 'Page.loadEventFired' for event in self.events):
            self.events.append(self.receive())
        return [json.dumps(event['params'])[:300] for event in self.events
                if event['method'] in FAILURES]

    def screen(self, size, scheme):
        self.ask('Emulation.setDeviceMetricsOverride', width=size[0], height=size[1],
                 deviceScaleFactor=1, mobile=False)
        self.ask('Emulation.setEmulatedMedia',
                 features=[{'name': 'prefers-color-scheme', 'value': scheme}])

    def picture(self, file):
        shot = self.ask('Page.captureScreenshot', format='png')['data']
        file.write_bytes(base64.b64decode(shot))

    def close(self):
        self.process.terminate()
        self.process.wait()


def looked_at(browser, size, scheme):
    """What is wrong with the page that is shown, on such a screen."""
    browser.screen(size, scheme)
    yield from (f'too wide: {what}' for what in browser.value(TOO_WIDE))
    if size == WIDE:
        for ratio, colours, words in browser.value(CONTRASTS):
            if ratio < CONTRAST:
                yield f'contrast {ratio:.2f}, {colours}: {words}'


def page(browser, file, pictures):
    """What is wrong with one page."""
    yield from browser.show(file.as_uri())
    for size, scheme in ((NARROW, 'light'), (WIDE, 'light'), (WIDE, 'dark')):
        where = f'{size[0]} pixels, {scheme}'
        yield from (f'{where}: {what}' for what in looked_at(browser, size, scheme))
        if pictures and file.stem in PICTURED:
            browser.picture(pictures / f'{file.stem}-{size[0]}-{scheme}.png')


def searches(browser, folder):
    for words, want in SEARCHES.items():
        browser.show((folder / 'changelog.html').as_uri())
        got = browser.value(FOUND.replace('WORDS', json.dumps(words)))[:5]
        if not any(want in to for to in got):
            yield f'a search for {words} finds {got}, not {want}'


def main(folder, patc, pictures):
    wrong, files = [*links(folder), *programs(folder, patc)], sorted(folder.glob('*.html'))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        browser = Browser(work)
        for file in files:
            wrong += [f'{file.name}: {what}' for what in page(browser, file, pictures)]
        wrong += searches(browser, folder)
        browser.close()
    print('\n'.join(wrong) or f'{len(files)} pages')
    return 1 if wrong else 0


if __name__ == '__main__':
    kept = [a.partition('=')[2] for a in sys.argv[3:] if a.startswith('--pictures=')]
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2],
                  pathlib.Path(kept[0]) if kept else None))
