// What was left out of some input, for one warning.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/text.h"

namespace faultline {

/// Counts parts of an input that cannot be used, and keeps the message of the first.
class Refusals {
 public:
  void add(std::string_view message) {
    if (count_++ == 0) first_ = message;
  }
  std::size_t count() const { return count_; }
  const std::string& first() const { return first_; }
  /// "2 games left out; the first: a.pgn:12: …".
  std::string warning(std::string_view what) const {
    return counted(count_, what) + " left out; the first: " + first_;
  }

 private:
  std::size_t count_ = 0;
  std::string first_;
};

}  // namespace faultline
