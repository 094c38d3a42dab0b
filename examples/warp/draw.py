#!/usr/bin/env python3
"""Makes input.one.wav and input.other.wav, the recordings that the example starts from.  No rights are claimed in them.

A tune on two flutes: the second player hurries and drags, takes a breath before the end, and has another tone.  16 bits,
one channel.  Needs nothing but Python, and counts in integers so that every machine makes the same bytes.
"""
import struct
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
from sound import noise, sine, write

RATE, FULL = 8000, 1 << 13
# Hertz, and how long each player holds it, in samples; 0 is silence.
TUNE = ((392, 1700, 1500), (440, 850, 800), (494, 850, 1500), (587, 1700, 2600), (523, 850, 500), (494, 850, 500),
        (440, 1700, 1100), (0, 300, 900), (494, 850, 1600), (440, 850, 1000), (392, 2400, 3200))


def play(player, overtones, hiss=noise()):
    phase = 0
    for hertz, *lengths in TUNE:
        length = lengths[player]
        for i in range(length):
            phase += hertz * 65536 // RATE
            swell = min(i, 400, length - i) * 1000 // 400 if hertz else 0
            tone = sum(weight * sine(k * phase, FULL) for k, weight in enumerate(overtones, 1)) // 10
            yield tone * swell // 1000 + next(hiss) // 20


for path, sound in (('input.one.wav', play(0, (10, 4, 2))), ('input.other.wav', play(1, (8, 1, 4)))):
    write(path, RATE, 1, b''.join(struct.pack('<h', sample) for sample in sound))
