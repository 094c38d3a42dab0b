/* sort.cu - sorts of arrays and of segments of every length, on keys that are hard on those who sort.
 *
 *   sort [FILTER]          cases whose name contains FILTER
 *
 * The payload of a cell is its place.  So what came out says where from: every cell must hold the key that its place
 * had, come from its own segment, alone, and not before the cell in front of it; of equal keys, where that is promised,
 * the earlier one comes first. */
#include "large.cuh"
#include "sort_kernels.h"

/* ---- keys ---- */

enum kind { HASHED, FEW, EQUAL, RISING, FALLING, ORGAN_PIPE, KINDS };
static const char *const kind_name[] = { "hashed", "few values", "all equal", "rising", "falling", "organ pipes" };

template <class T> struct keys;
template <> struct keys<uint32_t> {
	int kind;
	__host__ __device__ uint32_t operator()(int64_t i) const
	{
		switch (kind) {
		case FEW: return hash((uint64_t)i) & 7;
		case EQUAL: return 42;
		case RISING: return (uint32_t)i;
		case FALLING: return ~(uint32_t)i;
		case ORGAN_PIPE: return (uint32_t)min(i % 1500, 1500 - i % 1500);
		default: return hash((uint64_t)i);
		}
	}
};
/* Every eighth is NaN of either sign, an infinity or a zero. */
template <> struct keys<float> {
	int kind;
	__device__ float operator()(int64_t i) const
	{
		const uint32_t h = keys<uint32_t>{ kind }(i), which = hash((uint64_t)i * 2 + 1);
		static const uint32_t special[] = { 0x7fc00000, 0xffc00001, 0x7f800000, 0xff800000, 0, 0x80000000, 1, 0x7f7fffff };
		return which & 7 ? (float)(int32_t)(h - 0x40000000u) : __uint_as_float(special[which >> 29]);
	}
};

/* ---- what must hold of a cell ---- */

/* Whether a key may stand right in front of another: none of them less, NaN behind all. */
__device__ static bool in_order(uint32_t a, uint32_t b) { return a <= b; }
__device__ static bool in_order(float a, float b) { return isnan(b) || a >= b; }
__device__ static bool equals(uint32_t a, uint32_t b) { return a == b; }
__device__ static bool equals(float a, float b) { return a == b || (isnan(a) && isnan(b)); }
__device__ static uint32_t bits(uint32_t a) { return a; }
__device__ static uint32_t bits(float a) { return __float_as_uint(a); }

/* Segments: by offsets, or of one length. */
struct segments {
	const int64_t *off;
	int64_t s, length;
	/* The number of the cell's segment; below 0, or s - 1 and above, outside of all. */
	__device__ int64_t of(int64_t i) const
	{
		if (!off)
			return i / length;
		int64_t lo = 0, hi = s;
		while (lo < hi) {
			const int64_t mid = (lo + hi) / 2;
			if (off[mid] <= i)
				lo = mid + 1;
			else
				hi = mid;
		}
		return lo - 1;
	}
	__device__ bool outside(int64_t segment) const { return off && (segment < 0 || segment >= s - 1); }
};

template <class T> struct right_place {
	const T *key;
	const uint32_t *place;
	uint32_t *taken;
	int64_t n;
	segments cut;
	keys<T> was;
	bool stable;
	__device__ uint32_t operator()(int64_t i) const
	{
		const uint32_t from = place[i], wrong = ~from;
		if (from >= n || bits(key[i]) != bits(was(from)))
			return wrong;
		const int64_t segment = cut.of(i);
		if (cut.outside(segment))
			return (uint32_t)i;
		if (atomicExch(&taken[from], 1u) || cut.of(from) != segment)
			return wrong;
		if (i == 0 || cut.of(i - 1) != segment)
			return from;
		if (!in_order(key[i - 1], key[i]) || (stable && equals(key[i - 1], key[i]) && place[i - 1] >= from))
			return wrong;
		return from;
	}
};

/* ---- a case ---- */

template <class T>
static void sorted(const std::string &name, int64_t n, segments cut, int kind, bool stable, const std::function<size_t()> &room,
    const std::function<int(T *, uint32_t *, void *, size_t, cudaStream_t)> &call)
{
	if (!wanted(name, 12.0 * (double)n))
		return;
	device<T> key(n);
	device<uint32_t> place(n), taken(n);
	run(name, { [&] {
			make(key.at, n, keys<T>{ kind });
			make(place.at, n, [] __device__(int64_t i) { return (uint32_t)i; });
			CUDA(cudaMemset(taken.at, 0, n * 4));
		}, room, [&](void *w, size_t b, cudaStream_t s) { return call(key.at, place.at, w, b, s); },
		[&] { return equal("place", place.at, n, right_place<T>{ key.at, place.at, taken.at, n, cut, { kind }, stable }); } });
}

static void case_arrays(int64_t n, int kind)
{
	const segments whole = { nullptr, 0, n };
	const std::string name = std::string(kind_name[kind]) + " " + std::to_string(n);
	sorted<uint32_t>("array " + name, n, whole, kind, false, [=] { return order_workspace(n); },
	    [=](uint32_t *k, uint32_t *p, void *w, size_t b, cudaStream_t s) { return order(n, k, p, w, b, s); });
	sorted<uint32_t>("array stable " + name, n, whole, kind, true, [=] { return order_stable_workspace(n); },
	    [=](uint32_t *k, uint32_t *p, void *w, size_t b, cudaStream_t s) { return order_stable(n, k, p, w, b, s); });
	sorted<float>("array floats " + name, n, whole, kind, true, [=] { return order_floats_workspace(n); },
	    [=](float *k, uint32_t *p, void *w, size_t b, cudaStream_t s) { return order_floats(n, k, p, w, b, s); });
}

/* Of lengths that next gives, until n cells are full; some before the first and behind the last are in none. */
static void case_segments(const std::string &lengths, int64_t n, int kind, const std::function<int64_t(int64_t)> &next)
{
	const std::string name = lengths + " " + kind_name[kind] + " " + std::to_string(n);
	if (!wanted("segments floats stable " + name, 24.0 * (double)n))
		return;
	std::vector<int64_t> off = { 3 };
	for (int64_t k = 0; off.back() < n - 5; k++)
		off.push_back(std::min(n - 5, off.back() + next(k)));
	const int64_t ends = (int64_t)off.size();
	device<int64_t> at((size_t)ends);
	CUDA(cudaMemcpy(at.at, off.data(), off.size() * 8, cudaMemcpyHostToDevice));
	const segments by = { at.at, ends, 0 };
	const int64_t *o = at.at;
	sorted<uint32_t>("segments " + name, n, by, kind, false, [=] { return cut_workspace(n, ends); },
	    [=](uint32_t *k, uint32_t *p, void *w, size_t b, cudaStream_t s) { return cut(n, ends, k, p, o, w, b, s); });
	sorted<uint32_t>("segments stable " + name, n, by, kind, true, [=] { return cut_stable_workspace(n, ends); },
	    [=](uint32_t *k, uint32_t *p, void *w, size_t b, cudaStream_t s) { return cut_stable(n, ends, k, p, o, w, b, s); });
	sorted<float>("segments floats " + name, n, by, kind, true, [=] { return cut_floats_workspace(n, ends); },
	    [=](float *k, uint32_t *p, void *w, size_t b, cudaStream_t s) { return cut_floats(n, ends, k, p, o, w, b, s); });
}
static void case_every(int64_t n, int64_t length, int kind)
{
	sorted<uint32_t>("of " + std::to_string(length) + " " + kind_name[kind] + " " + std::to_string(n), n, { nullptr, 0, length }, kind, false,
	    [=] { return cut_every_workspace(n); },
	    [=](uint32_t *k, uint32_t *p, void *w, size_t b, cudaStream_t s) { return cut_every(n, k, p, length, w, b, s); });
}

/* From 1 to longest, a length l as often as l^-1.5 says. */
static int64_t power_law(int64_t k, double longest)
{
	const double u = (hash((uint64_t)k) + 1.0) * 0x1p-32, root = 1 - (1 - 1 / sqrt(longest)) * u;
	return (int64_t)(1 / (root * root));
}

int main(int argc, char **argv)
{
	filter = argc > 1 ? argv[1] : "";
	static const int64_t bounds[] = { 0, 1, 2, 3, 4, 5, 8, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023,
		1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097, 8191, 8192, 8193 };
	const int64_t count = sizeof bounds / sizeof *bounds;
	for (int kind = 0; kind < KINDS; kind++) {
		for (int64_t n : { 1000, 262144, 262145, 1048577, 20000003 })
			case_arrays(n, kind);
		case_segments("of bounds", 20000003, kind, [=](int64_t k) { return bounds[hash((uint64_t)k) % (uint32_t)count]; });
		case_segments("by a power law to 200000", 20000003, kind, [](int64_t k) { return power_law(k, 200000); });
		case_segments("one giant among millions", 20000003, kind, [](int64_t k) { return k == 4000001 ? 9000001 : k % 3; });
		for (int64_t length : bounds)
			if (length)
				case_every(1000003, length, kind);
	}
	case_segments("of 0 to 3", INT64_C(400000003), HASHED, [](int64_t k) { return (int64_t)(hash((uint64_t)k) >> 30); });
	case_segments("two giants", INT64_C(2500000003), HASHED, [](int64_t k) { return k ? INT64_C(3000000000) : (INT64_C(1) << 31) + 1; });
	case_arrays((INT64_C(1) << 31) + 7, HASHED);
	case_arrays((INT64_C(1) << 32) - 1, HASHED);
	return failures != 0;
}
