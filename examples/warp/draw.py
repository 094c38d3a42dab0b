#!/usr/bin/env python3
"""Makes input.one.wav and input.other.wav, the recordings that the example starts from.  No rights are claimed in them.

A tune on two flutes: the second player hurries and drags, takes a breath before the end, and has another tone.  16 bits,
one channel.  Needs nothing but Python, and counts in integers so that every machine makes the same bytes.
"""
import struct

RATE, FULL = 8000, 1 << 13
# Hertz, and how long each player holds it, in samples; 0 is silence.
TUNE = ((392, 1700, 1500), (440, 850, 800), (494, 850, 1500), (587, 1700, 2600), (523, 850, 500), (494, 850, 500),
        (440, 1700, 1100), (0, 300, 900), (494, 850, 1600), (440, 850, 1000), (392, 2400, 3200))


def sine(phase):
    """Of phase / 65536 turns, times FULL: Bhaskara's approximation."""
    phase %= 65536
    half, x = phase // 32768, phase % 32768
    p = x * (32768 - x)
    y = 16 * p * FULL // (5 * 32768 * 32768 - 4 * p)
    return -y if half else y


def noise():
    x = 2463534242
    while True:
        x ^= x << 13 & 0xffffffff
        x ^= x >> 17
        x ^= x << 5 & 0xffffffff
        yield x % 2001 - 1000


def play(player, overtones, hiss=noise()):
    phase = 0
    for hertz, *lengths in TUNE:
        length = lengths[player]
        for i in range(length):
            phase += hertz * 65536 // RATE
            swell = min(i, 400, length - i) * 1000 // 400 if hertz else 0
            tone = sum(weight * sine(k * phase) for k, weight in enumerate(overtones, 1)) // 10
            yield tone * swell // 1000 + next(hiss) // 20


for path, sound in (('input.one.wav', play(0, (10, 4, 2))), ('input.other.wav', play(1, (8, 1, 4)))):
    data = b''.join(struct.pack('<h', sample) for sample in sound)
    with open(path, 'wb') as out:
        out.write(b'RIFF' + struct.pack('<I', 36 + len(data)) + b'WAVEfmt '
                  + struct.pack('<IHHIIHH', 16, 1, 1, RATE, RATE * 2, 2, 16) + b'data' + struct.pack('<I', len(data)))
        out.write(data)
