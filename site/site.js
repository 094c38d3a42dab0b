/* site.js - the search, without a server: its index is a script, search.js, loaded at first use. */
"use strict";
(() => {
	const MOST = 30, AROUND = 70;
	const form = document.getElementById("search"), input = form.querySelector("input");
	const found = document.getElementById("found");
	let rows = null, chosen = -1;

	/* Called by search.js. */
	window.patcIndex = (loaded) => {
		rows = loaded.map(([to, page, heading, text]) => ({
			to, page, heading, text,
			named: heading.toLowerCase(),
			said: text.toLowerCase(),
			of: page.toLowerCase(),
		}));
		show();
	};

	function load() {
		if (document.getElementById("index"))
			return;
		const script = document.createElement("script");
		script.id = "index";
		script.src = "search.js";
		document.head.append(script);
	}

	/* How well a row fits one word: 0 is not at all.  A heading counts more than text, and the
	 * begin of a word more than its middle. */
	function fit(row, word) {
		const spaced = (text) => " " + text.replace(/[^a-z0-9_]+/g, " ");
		const begins = (text) => spaced(text).includes(" " + word);
		if (row.named === word)
			return 40;
		if (begins(row.named))
			return 20 - Math.min(10, row.named.length / 10);
		if (row.named.includes(word))
			return 6;
		if (begins(row.of))
			return 3;
		const often = Math.min(9, row.said.split(word).length - 1) / 10;
		return often && (begins(row.said) ? 2 : 1) + often;
	}

	function search(words) {
		const hits = [];
		for (const row of rows) {
			const fits = words.map((word) => fit(row, word));
			if (fits.every((one) => one > 0))
				hits.push([fits.reduce((a, b) => a + b), row]);
		}
		return hits.sort((a, b) => b[0] - a[0]).slice(0, MOST).map((hit) => hit[1]);
	}

	function element(tag, text) {
		const made = document.createElement(tag);
		made.textContent = text;
		return made;
	}

	/* `text` as nodes, the words of the search marked. */
	function marked(text, words) {
		const out = document.createDocumentFragment();
		const quoted = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
		const parts = text.split(new RegExp(`(${quoted.join("|")})`, "i"));
		for (const [n, part] of parts.entries()) {
			out.append(n % 2 ? element("mark", part) : part);
		}
		return out;
	}

	function line(row, words) {
		const a = element("a", ""), below = element("span", "");
		const at = Math.max(0, row.said.indexOf(words[0]) - AROUND);
		a.href = row.to;
		a.append(marked(row.heading, words));
		below.append(row.page + ": " + (at ? "… " : ""));
		below.append(marked(row.text.substr(at, 2 * AROUND), words));
		a.append(below);
		return a;
	}

	function show() {
		const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
		chosen = -1;
		found.hidden = !words.length || !rows;
		if (found.hidden)
			return;
		const hits = search(words);
		found.replaceChildren(...hits.map((row) => line(row, words)));
		if (!hits.length)
			found.append(element("p", "Nothing has all of these words."));
	}

	function choose(by) {
		const all = [...found.querySelectorAll("a")];
		if (!all.length)
			return;
		chosen = (chosen + by + all.length) % all.length;
		all.forEach((a, n) => a.setAttribute("aria-selected", n === chosen));
		all[chosen].scrollIntoView({ block: "nearest" });
	}

	function close() {
		found.hidden = true;
		input.blur();
	}

	input.addEventListener("focus", () => { load(); show(); });
	input.addEventListener("input", show);
	input.addEventListener("keydown", (event) => {
		if (event.key === "ArrowDown" || event.key === "ArrowUp") {
			event.preventDefault();
			choose(event.key === "ArrowDown" ? 1 : -1);
		} else if (event.key === "Escape") {
			close();
		}
	});
	form.addEventListener("submit", (event) => {
		event.preventDefault();
		const to = found.querySelectorAll("a")[Math.max(0, chosen)];
		if (to) {
			close();
			location.href = to.href;
		}
	});
	document.addEventListener("keydown", (event) => {
		if (event.key === "/" && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) {
			event.preventDefault();
			input.focus();
		}
	});
	document.addEventListener("click", (event) => {
		if (!form.contains(event.target))
			found.hidden = true;
	});
	found.addEventListener("click", close);
	form.hidden = false;
})();
