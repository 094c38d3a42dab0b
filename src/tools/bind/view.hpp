#ifndef PATC_VIEW_HPP
#define PATC_VIEW_HPP
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#if defined(__cpp_exceptions) && !defined(PATC_NO_EXCEPTIONS)
#define PATC_THROWS 1
#include <stdexcept>
#include <string>
#endif

namespace patc {

// What the functions return, or error::status(), if an array does not have the shape or the order in memory that the others
// and the program give it.
constexpr int mismatch = -1;

#ifdef PATC_THROWS
class error : public std::runtime_error {
public:
	error(int status, const std::string &text) : std::runtime_error(text), status_(status) {}
	int status() const noexcept { return status_; }
private:
	int status_;
};
#endif

// An array of R axes: where it begins, its extents, and the distances of cells along each axis, in elements.
template <class T, std::size_t R> class view {
public:
	using numbers = std::array<std::int64_t, R>;

	// row by row
	view(T *data, const numbers &extents) : data_(data), extents_(extents)
	{
		std::int64_t step = 1;
		for (std::size_t i = R; i-- > 0; step *= extents_[i])
			strides_[i] = step;
	}
	view(T *data, const numbers &extents, const numbers &strides) : data_(data), extents_(extents), strides_(strides) {}

	// std::vector, std::array, std::span and others that have data() and size()
	template <class C, std::size_t N = R, class = std::enable_if_t<N == 1>,
	          class = std::enable_if_t<std::is_convertible<decltype(std::declval<C &>().data()), T *>::value>,
	          class = decltype(std::declval<C &>().size())>
	view(C &&cells) : view(cells.data(), numbers{static_cast<std::int64_t>(cells.size())}) {}

	// an array of C
	template <std::size_t N, std::size_t M = R, class = std::enable_if_t<M == 1>>
	view(T (&cells)[N]) : view(cells, numbers{static_cast<std::int64_t>(N)}) {}

	// std::mdspan and others that have data_handle(), extent(i) and stride(i)
	template <class M, class = decltype(std::declval<const M &>().data_handle()), class = decltype(std::declval<const M &>().stride(0))>
	view(const M &other) : data_(other.data_handle())
	{
		static_assert(M::rank() == R, "as many axes as the program gives the array");
		for (std::size_t i = 0; i < R; i++) {
			extents_[i] = static_cast<std::int64_t>(other.extent(i));
			strides_[i] = static_cast<std::int64_t>(other.stride(i));
		}
	}

	// of constant cells
	template <class U, class = std::enable_if_t<std::is_same<T, const U>::value>>
	view(const view<U, R> &other) : data_(other.data()), extents_(other.extents()), strides_(other.strides()) {}

	T *data() const noexcept { return data_; }
	std::int64_t extent(std::size_t i) const noexcept { return extents_[i]; }
	std::int64_t stride(std::size_t i) const noexcept { return strides_[i]; }
	const numbers &extents() const noexcept { return extents_; }
	const numbers &strides() const noexcept { return strides_; }
	template <class... I> T &operator()(I... at) const
	{
		static_assert(sizeof...(I) == R, "an index for each axis");
		const numbers index{static_cast<std::int64_t>(at)...};
		std::int64_t place = 0;
		for (std::size_t i = 0; i < R; i++)
			place += index[i] * strides_[i];
		return data_[place];
	}
private:
	T *data_;
	numbers extents_;
	numbers strides_;
};

// The first cell of an array whose cells lie column by column.
template <class T, std::size_t R> view<T, R> columns(T *data, const std::array<std::int64_t, R> &extents)
{
	std::array<std::int64_t, R> strides{};
	std::int64_t step = 1;
	for (std::size_t i = 0; i < R; step *= extents[i++])
		strides[i] = step;
	return view<T, R>(data, extents, strides);
}

// What a launch needs besides its arguments: NAME_workspace() bytes, and a stream (of a cpu: a null pointer).
struct work {
	void *memory;
	std::size_t bytes;
	void *stream;
};

namespace detail {

inline int fail(int status, const char *kernel, const char *where, const char *text)
{
#ifdef PATC_THROWS
	throw error(status, std::string(kernel) + ": " + where + text);
#else
	(void)kernel, (void)where, (void)text;
	return status;
#endif
}

inline int done(const char *kernel, int status, const char *(*words)(int))
{
	return status ? fail(status, kernel, "", words(status)) : 0;
}

inline std::int64_t ceil(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

// 0, or the mismatch
template <class T, std::size_t R>
int fits(const char *kernel, const char *name, const view<T, R> &a, const typename view<T, R>::numbers &extents,
         const typename view<T, R>::numbers &strides)
{
	bool empty = false;
	for (std::size_t i = 0; i < R; i++) {
		if (a.extent(i) != extents[i])
			return fail(mismatch, kernel, name, " has another shape than the other arrays give it");
		empty = empty || extents[i] == 0;
	}
	for (std::size_t i = 0; i < R; i++)
		if (!empty && extents[i] > 1 && a.stride(i) != strides[i])
			return fail(mismatch, kernel, name, " has its cells in another order than the program declares");
	return 0;
}

template <class T> int holds(const char *kernel, const char *name, const view<T, 1> &a, std::int64_t elements)
{
	if (a.extent(0) < elements || (elements > 1 && a.stride(0) != 1))
		return fail(mismatch, kernel, name, " has too few elements, or they are apart");
	return 0;
}

}
}
#endif
