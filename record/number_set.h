// A set of whole numbers of which most follow each other, such as those of a run's games.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <map>

namespace faultline {

/// Takes memory for its gaps only.
class NumberSet {
 public:
  NumberSet() = default;
  NumberSet(std::initializer_list<std::uint64_t> numbers) {
    for (const std::uint64_t number : numbers)
      insert(number);
  }

  /// Returns false if the number was there already.
  bool insert(std::uint64_t number) {
    auto after = ranges_.upper_bound(number);
    if (after != ranges_.begin() && std::prev(after)->second > number) return false;
    std::uint64_t end = number + 1;
    if (after != ranges_.end() && after->first == end) {
      end = after->second;
      after = ranges_.erase(after);
    }
    if (after != ranges_.begin() && std::prev(after)->second == number)
      std::prev(after)->second = end;
    else
      ranges_.emplace_hint(after, number, end);
    ++size_;
    return true;
  }
  bool contains(std::uint64_t number) const { return first_missing(number) != number; }
  /// The lowest number from `number` on that is missing.
  std::uint64_t first_missing(std::uint64_t number) const {
    const auto after = ranges_.upper_bound(number);
    if (after == ranges_.begin()) return number;
    const std::uint64_t end = std::prev(after)->second;
    return end > number ? end : number;
  }
  std::uint64_t size() const { return size_; }

 private:
  std::map<std::uint64_t, std::uint64_t>
      ranges_;  // from the first number to the one after the last
  std::uint64_t size_ = 0;
};

}  // namespace faultline
