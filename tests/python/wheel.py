"""wheel.py WHEEL - RECORD lists all files with their hashes; the compiler needs no library; the tags say where it runs."""
import base64
import hashlib
import stat
import subprocess
import sys
import tempfile
import zipfile

path = sys.argv[1]
wheel = zipfile.ZipFile(path)
names = wheel.namelist()
info = next(name.split("/")[0] for name in names if ".dist-info/" in name)
read = {name: wheel.read(name) for name in names}
lines = [line.split(",") for line in read[info + "/RECORD"].decode().splitlines()]
assert sorted(name for name, _, _ in lines) == sorted(names)
for name, digest, size in lines[:-1]:
    want = base64.urlsafe_b64encode(hashlib.sha256(read[name]).digest()).rstrip(b"=").decode()
    assert digest == "sha256=" + want and int(size) == len(read[name]), name
licences = ["LICENSE", "NOTICE", "LGPL-3", "libgmp-dev-copyright"]
for name in ["patc/__init__.py", "patc/py.typed", "patc/torch.py", *(info + "/licenses/" + name for name in licences)]:
    assert name in names, name
assert [n for n in names if stat.S_IMODE(wheel.getinfo(n).external_attr >> 16) == 0o755] == ["patc/bin/patc"]

tags = path[:-4].split("-")[4].split(".")
assert sorted(tags) == tags
assert ["Tag: py3-none-" + t for t in tags] == [t for t in read[info + "/WHEEL"].decode().splitlines() if t.startswith("Tag")]
with tempfile.NamedTemporaryFile() as program:
    program.write(read["patc/bin/patc"])
    program.flush()
    elf = subprocess.run(["readelf", "-dlV", "-W", program.name], capture_output=True, text=True, check=True).stdout
# Neither a library nor a version of the C library: nothing that a platform of the tags could lack.
assert "NEEDED" not in elf and "INTERP" not in elf and "GLIBC_" not in elf, elf
