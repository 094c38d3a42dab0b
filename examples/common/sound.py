"""Tones in integers, the same on every machine, and WAV files of them; needs nothing but Python."""
import struct


def sine(phase, full):
    """Of phase / 65536 turns, times full: Bhaskara's approximation."""
    phase %= 65536
    half, x = phase // 32768, phase % 32768
    p = x * (32768 - x)
    y = 16 * p * full // (5 * 32768 * 32768 - 4 * p)
    return -y if half else y


def noise():
    x = 2463534242
    while True:
        x ^= x << 13 & 0xffffffff
        x ^= x >> 17
        x ^= x << 5 & 0xffffffff
        yield x % 2001 - 1000


def write(path, rate, channels, data):
    """A WAV file of 16 bits."""
    with open(path, 'wb') as out:
        out.write(b'RIFF' + struct.pack('<I', 36 + len(data)) + b'WAVEfmt '
                  + struct.pack('<IHHIIHH', 16, 1, channels, rate, rate * 2 * channels, 2 * channels, 16)
                  + b'data' + struct.pack('<I', len(data)))
        out.write(data)
