#!/usr/bin/env python3
"""Makes input.wav, the recording that the example starts from.  No rights are claimed in the sound.

A plucked string, thrice, over a hum of 50 Hz and a hiss; 16 bits, two channels, half a second.  Needs nothing
but Python, and counts in integers so that every machine makes the same bytes.
"""
import struct
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / 'common'))
from sound import noise, sine, write

RATE, LENGTH = 16000, 8000


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
    hum = sine(i * 50 * 65536 // RATE, 1 << 14) // 4
    for weights in ((3, 2, 1), (1, 2, 3)):
        sound = sum(w * v[i] for w, v in zip(weights, voices)) // 4
        frames += struct.pack('<h', max(-32768, min(32767, sound + hum + next(hiss) // 2)))
write(sys.argv[1] if len(sys.argv) > 1 else 'input.wav', RATE, 2, frames)
