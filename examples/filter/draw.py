#!/usr/bin/env python3
"""Makes input.wav, the recording that the example starts from.  No rights are claimed in the sound.

A plucked string, thrice, over a hum of 50 Hz and a hiss; 16 bits, two channels, half a second.  Needs nothing
but Python, and counts in integers so that every machine makes the same bytes.
"""
import struct
import sys

RATE, LENGTH = 16000, 8000
FULL = 1 << 14


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


def string(pitch, start, tone=noise()):
    """Karplus and Strong: a burst of noise goes round a loop that smooths it."""
    loop = [next(tone) * 8 for _ in range(RATE // pitch)]
    out = [0] * LENGTH
    for i in range(start, LENGTH):
        out[i] = loop[0]
        loop.append((loop[0] + loop[1]) * 498 // 1000)
        loop.pop(0)
    return out


voices = [string(220, 0), string(277, 2000), string(330, 4000)]
hiss = noise()
frames = bytearray()
for i in range(LENGTH):
    hum = sine(i * 50 * 65536 // RATE) // 4
    for weights in ((3, 2, 1), (1, 2, 3)):
        sound = sum(w * v[i] for w, v in zip(weights, voices)) // 4
        frames += struct.pack('<h', max(-32768, min(32767, sound + hum + next(hiss) // 2)))
with open(sys.argv[1] if len(sys.argv) > 1 else 'input.wav', 'wb') as out:
    out.write(b'RIFF' + struct.pack('<I', 36 + len(frames)) + b'WAVEfmt '
              + struct.pack('<IHHIIHH', 16, 1, 2, RATE, RATE * 4, 4, 16) + b'data' + struct.pack('<I', len(frames)))
    out.write(frames)
