// What the standard library of Debian's emscripten (libc++ 13) lacks of C++20. The WebAssembly
// build includes this before every source (cmake/Wasm.cmake); no other build sees it, and no source
// includes it.
#pragma once

#include <version>

#if defined(_LIBCPP_VERSION) && _LIBCPP_VERSION < 14000

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>

// NOLINTBEGIN(cert-dcl58-cpp): these are the library's names.
namespace std {

#ifndef __cpp_lib_bit_cast
template <class To, class From>
requires(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> &&
         is_trivially_copyable_v<From>) constexpr To bit_cast(const From& from) noexcept {
  return __builtin_bit_cast(To, from);
}
#endif

template <class T>
requires is_unbounded_array_v<T> unique_ptr<T> make_unique_for_overwrite(size_t count) {
  return unique_ptr<T>(new remove_extent_t<T>[count]);
}

/// Joins at its end; without stop tokens.
class jthread : public thread {
 public:
  using thread::thread;
  jthread() = default;
  jthread(jthread&&) = default;
  jthread& operator=(jthread&&) = default;
  ~jthread() {
    if (joinable()) join();
  }
};

/// Numbers with a sign, digits and a point, as the program writes them.
template <class T>
requires is_floating_point_v<T> from_chars_result from_chars(
    const char* first, const char* last, T& value, chars_format format = chars_format::general) {
  const auto is_part = [&](char c) {
    return (c >= '0' && c <= '9') || c == '.' || c == '-' ||
           (format == chars_format::general && (c == 'e' || c == 'E' || c == '+'));
  };
  if (first == last || *first == '+') return {first, errc::invalid_argument};
  const string text(first, find_if_not(first, last, is_part));
  char* end = nullptr;
  const double number = strtod(text.c_str(), &end);
  if (end == text.c_str()) return {first, errc::invalid_argument};
  value = static_cast<T>(number);
  return {first + (end - text.c_str()), errc()};
}

namespace ranges {

template <class R, class T, class Proj = identity>
constexpr auto find(R&& range, const T& value, Proj proj = {}) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](auto&& item) { return std::invoke(proj, item) == value; });
}
template <class R, class Pred, class Proj = identity>
constexpr auto find_if(R&& range, Pred pred, Proj proj = {}) {
  return std::find_if(std::begin(range), std::end(range),
                      [&](auto&& item) { return std::invoke(pred, std::invoke(proj, item)); });
}
template <class R, class Pred, class Proj = identity>
constexpr auto find_if_not(R&& range, Pred pred, Proj proj = {}) {
  return std::find_if_not(std::begin(range), std::end(range),
                          [&](auto&& item) { return std::invoke(pred, std::invoke(proj, item)); });
}
template <class R, class Pred, class Proj = identity>
constexpr bool any_of(R&& range, Pred pred, Proj proj = {}) {
  return ranges::find_if(range, pred, proj) != std::end(range);
}
template <class R, class Pred, class Proj = identity>
constexpr bool all_of(R&& range, Pred pred, Proj proj = {}) {
  return ranges::find_if_not(range, pred, proj) == std::end(range);
}
template <class R, class Pred, class Proj = identity>
constexpr bool none_of(R&& range, Pred pred, Proj proj = {}) {
  return !ranges::any_of(range, pred, proj);
}
template <class R, class T, class Proj = identity>
constexpr auto count(R&& range, const T& value, Proj proj = {}) {
  return std::count_if(std::begin(range), std::end(range),
                       [&](auto&& item) { return std::invoke(proj, item) == value; });
}
template <class R, class Pred, class Proj = identity>
constexpr auto count_if(R&& range, Pred pred, Proj proj = {}) {
  return std::count_if(std::begin(range), std::end(range),
                       [&](auto&& item) { return std::invoke(pred, std::invoke(proj, item)); });
}

template <class Comp, class Proj>
constexpr auto compared(Comp& comp, Proj& proj) {
  return [&comp, &proj](auto&& a, auto&& b) {
    return static_cast<bool>(std::invoke(comp, std::invoke(proj, a), std::invoke(proj, b)));
  };
}
template <class R, class Comp = std::less<>, class Proj = identity>
constexpr auto max_element(R&& range, Comp comp = {}, Proj proj = {}) {
  return std::max_element(std::begin(range), std::end(range), ranges::compared(comp, proj));
}
template <class R, class Comp = std::less<>, class Proj = identity>
constexpr auto min_element(R&& range, Comp comp = {}, Proj proj = {}) {
  return std::min_element(std::begin(range), std::end(range), ranges::compared(comp, proj));
}
template <class T>
struct min_max_result {
  T min, max;
};
template <class R, class Comp = std::less<>, class Proj = identity>
constexpr auto minmax(R&& range, Comp comp = {}, Proj proj = {}) {
  const auto [low, high] =
      std::minmax_element(std::begin(range), std::end(range), ranges::compared(comp, proj));
  return min_max_result<decay_t<decltype(*low)>>{*low, *high};
}
template <class R, class Comp = std::less<>, class Proj = identity>
constexpr void sort(R&& range, Comp comp = {}, Proj proj = {}) {
  std::sort(std::begin(range), std::end(range), ranges::compared(comp, proj));
}
template <class R, class Comp = std::less<>, class Proj = identity>
void stable_sort(R&& range, Comp comp = {}, Proj proj = {}) {
  std::stable_sort(std::begin(range), std::end(range), ranges::compared(comp, proj));
}
template <class R, class Comp = std::less<>, class Proj = identity>
constexpr bool is_sorted(R&& range, Comp comp = {}, Proj proj = {}) {
  return std::is_sorted(std::begin(range), std::end(range), ranges::compared(comp, proj));
}

template <class R, class T, class Comp = std::less<>>
constexpr bool binary_search(R&& range, const T& value, Comp comp = {}) {
  return std::binary_search(std::begin(range), std::end(range), value, comp);
}

template <class R, class S, class Pred = std::equal_to<>, class A = identity, class B = identity>
constexpr bool equal(R&& one, S&& other, Pred pred = {}, A a = {}, B b = {}) {
  return std::equal(
      std::begin(one), std::end(one), std::begin(other), std::end(other),
      [&](auto&& x, auto&& y) { return std::invoke(pred, std::invoke(a, x), std::invoke(b, y)); });
}

template <class In, class Out>
struct in_out {
  In in;
  Out out;
};
template <class R, class Out>
constexpr auto copy(R&& range, Out out) {
  auto last = std::copy(std::begin(range), std::end(range), std::move(out));
  return in_out<decltype(std::end(range)), Out>{std::end(range), last};
}
template <class R, class Out, class Pred, class Proj = identity>
constexpr void copy_if(R&& range, Out out, Pred pred, Proj proj = {}) {
  std::copy_if(std::begin(range), std::end(range), std::move(out),
               [&](auto&& item) { return std::invoke(pred, std::invoke(proj, item)); });
}
template <class R, class Out>
requires requires(R& range) {
  std::begin(range);
}
constexpr void move(R&& range, Out out) {
  std::move(std::begin(range), std::end(range), std::move(out));
}
template <class R, class Out, class F, class Proj = identity>
requires invocable<F&, invoke_result_t<Proj&, decltype(*std::begin(declval<R&>()))>>
constexpr void transform(R&& range, Out out, F f, Proj proj = {}) {
  std::transform(std::begin(range), std::end(range), std::move(out),
                 [&](auto&& item) { return std::invoke(f, std::invoke(proj, item)); });
}
template <class R, class S, class Out, class F>
requires requires(S& other) {
  std::begin(other);
}
constexpr void transform(R&& one, S&& other, Out out, F f) {
  std::transform(std::begin(one), std::end(one), std::begin(other), std::move(out), f);
}
template <class R, class T>
constexpr void fill(R&& range, const T& value) {
  std::fill(std::begin(range), std::end(range), value);
}
template <class R, class T>
constexpr void replace(R&& range, const T& old, const T& value) {
  std::replace(std::begin(range), std::end(range), old, value);
}
template <class R, class Pred, class T>
constexpr void replace_if(R&& range, Pred pred, const T& value) {
  std::replace_if(std::begin(range), std::end(range), pred, value);
}
template <class R>
constexpr void reverse(R&& range) {
  std::reverse(std::begin(range), std::end(range));
}
template <class R, class S>
constexpr void swap_ranges(R&& one, S&& other) {
  std::swap_ranges(std::begin(one), std::end(one), std::begin(other));
}

}  // namespace ranges
}  // namespace std
// NOLINTEND(cert-dcl58-cpp)

#endif
