"""Numbers as if by chance, the same on every machine (Marsaglia, xorshift, 2003)."""


def numbers():
    x = 88172645463325252
    while True:
        x ^= x << 13 & (1 << 64) - 1
        x ^= x >> 7
        x ^= x << 17 & (1 << 64) - 1
        yield x >> 20
