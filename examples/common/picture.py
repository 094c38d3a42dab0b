"""Writes a picture, rows of (red, green, blue), as a PNG; needs nothing but Python."""
import struct
import zlib


def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))


def write(path, rows):
    header = struct.pack('>IIBBBBB', len(rows[0]), len(rows), 8, 2, 0, 0, 0)
    pixels = b''.join(b'\0' + b''.join(bytes(p) for p in row) for row in rows)
    with open(path, 'wb') as out:
        out.write(b'\x89PNG\r\n\x1a\n')
        out.write(chunk(b'IHDR', header))
        out.write(chunk(b'IDAT', zlib.compress(pixels, 9)))
        out.write(chunk(b'IEND', b''))
