import numpy as np
import agree

N, M = 5, 7
i, j = np.indices((N, M))
a = (np.float32(1) / (1 + 7 * i + j).astype("f4"))
b = np.asfortranarray((3 * i + j) / 7.0)
y = (i - j).astype("f8")
p = np.zeros(N, agree.Mass)
k = np.arange(N)
p["at"][:, 0] = k
p["at"][:, 1] = 0.1 * k + 0.3
p["weight"] = k.astype("f4") / np.float32(3)
total, row = agree.agree(a, b, p, 1.5, True, y)
for x in [*y.ravel(), total]:
    print("%016x" % np.float64(x).view("u8"))
print(row)
try:
    agree.agree(a, b, p, -1, True, y)
except agree.Error as e:
    print(str(e)[7:-12])
