#include "agree.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <vector>

constexpr std::int64_t N = 5, M = 7;

static void bits(double x)
{
	std::uint64_t word;
	std::memcpy(&word, &x, sizeof word);
	std::printf("%016" PRIx64 "\n", word);
}

// As std::mdspan is.
struct span2 {
	double *first;
	static constexpr std::size_t rank() { return 2; }
	double *data_handle() const { return first; }
	std::int64_t extent(std::size_t i) const { return i == 0 ? N : M; }
	std::int64_t stride(std::size_t i) const { return i == 0 ? M : 1; }
};

int main()
{
	std::vector<float> a(N * M);
	std::vector<double> b(N * M), y(N * M);
	std::vector<Mass> p(N);
	const patc::view<float, 2> a2(a.data(), {N, M});
	const patc::view<double, 2> b2 = patc::columns<double, 2>(b.data(), {N, M});
	const span2 y2{y.data()};
	double total;
	std::int64_t row;
	for (std::int64_t i = 0; i < N; i++) {
		p[static_cast<std::size_t>(i)] = {{static_cast<double>(i), 0.1 * static_cast<double>(i) + 0.3}, static_cast<float>(i) / 3};
		for (std::int64_t j = 0; j < M; j++) {
			a2(i, j) = 1.0f / static_cast<float>(1 + 7 * i + j);
			b2(i, j) = static_cast<double>(3 * i + j) / 7.0;
			y[static_cast<std::size_t>(i * M + j)] = static_cast<double>(i - j);
		}
	}
	if (patc::agree::agree_host(a2, b2, p, 1.5f, true, y2, total, row))
		return 1;
	for (double x : y)
		bits(x);
	bits(total);
	std::printf("%" PRId64 "\n", row);
	const patc::view<double, 2> turned(b.data(), {N, M});
#ifdef PATC_THROWS
	try {
		patc::agree::agree_host(a2, b2, p, -1, true, y2, total, row);
	} catch (const patc::error &e) {
		std::puts(e.what() + std::strlen("agree: "));
	}
	try {
		patc::agree::agree_host(a2, turned, p, 1, true, y2, total, row);
		return 1;
	} catch (const patc::error &e) {
		return e.status() != patc::mismatch || !std::strstr(e.what(), "agree: b has its cells in another order");
	}
#else
	std::puts(agree_strerror(patc::agree::agree_host(a2, b2, p, -1, true, y2, total, row)));
	return patc::agree::agree_host(a2, turned, p, 1, true, y2, total, row) != patc::mismatch;
#endif
}
