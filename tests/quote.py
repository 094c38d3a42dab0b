#!/usr/bin/env python3
"""What a manual page quotes of programs.  quote.py PATC PAGE: the page, with its quotations as they are now.

In the page, before .EX and .EE:
    .\\" quote program FILE     FILE without the comment at its head and its tests
    .\\" quote bounds FILE      what `patc --remarks` says that limits each statement
FILE is a path from the folder above that of the page.
"""
import os
import re
import subprocess
import sys

ROFF = {"\\": r"\e", "-": r"\-", "^": r"\(ha", "~": r"\(ti", "'": r"\(aq", "`": r"\(ga", "○": r"\[u25CB]", "◇": r"\[u25C7]"}


def program(patc, path):
    lines = open(path, encoding="utf-8").read().split("\n")
    while lines and (lines[0].startswith("//") or not lines[0]):
        lines.pop(0)
    ends = [i for i, line in enumerate(lines) if line.startswith("test ")]
    return "\n".join(lines[:ends[0]] if ends else lines).rstrip("\n")


def bounds(patc, path):
    patterns = subprocess.run([patc, "--list-patterns"], check=True, stdout=subprocess.PIPE, text=True).stdout
    kinds = "|".join([*(line.split()[0] for line in patterns.split("\n") if line), "kth"])
    said = subprocess.run([patc, "--remarks", "-o", "-", path], check=True, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True).stderr
    source = open(path, encoding="utf-8").read().split("\n")
    starts = [(i + 1, re.match(r"kernel (\w+)", line)[1]) for i, line in enumerate(source) if line.startswith("kernel ")]
    made = []
    for at, label, text in re.findall(rf":(\d+):\d+: remark: (\w+): (?:{kinds}), (.*)", said):
        kernel = [name for start, name in starts if start < int(at)][-1]
        prefix = f"{kernel}: " if len(starts) > 1 else ""
        made.append(f"{prefix}{label}: {text}".replace(" on an H200", ""))
    return "\n".join(made)


def main():
    patc, page = sys.argv[1:]
    above, made, on = os.path.join(os.path.dirname(os.path.abspath(page)), ".."), [], False
    for line in open(page, encoding="utf-8").read().split("\n"):
        quote = re.match(r'\.\\" quote (program|bounds) (.*)', line)
        if quote:
            text = globals()[quote[1]](patc, os.path.join(above, quote[2]))
            text = "".join(ROFF.get(c, c) for c in text)
            made += [line, ".EX", *(r"\&" + x if x.startswith(".") else x for x in text.split("\n")), ".EE"]
            on = True
        elif not on:
            made.append(line)
        elif line == ".EE":
            on = False
    sys.stdout.write("\n".join(made))


if __name__ == "__main__":
    main()
