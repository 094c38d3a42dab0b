include("agree.jl")
using .agree_kernels: agree, Mass, KernelError

const n, m = 5, 7
a = [1.0f0 / Float32(1 + 7i + j) for j in 0:m-1, i in 0:n-1]
b = [(3i + j) / 7.0 for i in 0:n-1, j in 0:m-1]
y = [Float64(i - j) for j in 0:m-1, i in 0:n-1]
p = [Mass((Float64(i), 0.1 * i + 0.3), Float32(i) / 3) for i in 0:n-1]
total, row = Ref(0.0), Ref(Int64(0))
agree(a, b, p, 1.5, true, y, total, row)
for x in [vec(y); total[]]
    println(string(reinterpret(UInt64, x), base = 16, pad = 16))
end
println(row[])
try
    agree(a, b, p, -1, true, y, total, row)
catch e
    println(e.text)
end
try
    agree(a, b[:, 2:end], p, 1, true, y, total, row)
    exit(1)
catch e
    e isa DimensionMismatch || rethrow()
end
