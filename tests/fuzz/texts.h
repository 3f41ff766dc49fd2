// What the fuzzer and its tests share: an input, what must hold of it, and where inputs start from.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::fuzz {

/// Something that must hold of every input does not.
class BrokenProperty : public std::logic_error {
  using std::logic_error::logic_error;
};

/// No message about a position text is longer, however long the text.
inline constexpr std::size_t kLongestMessage = 400;

/// `input` is three lines: a variant's name, a position text and a move text; any may be malformed
/// input. What the parsers accept must print back, agree with itself, and play on; throws
/// BrokenProperty.
void check_input(std::string_view input);

/// Names of variants of every family there is: all values of every option that FamilyInfo lists,
/// one option at a time, and mixtures.
std::vector<std::string> sample_variants();

/// Inputs from a random game of the variant: the start and every tenth position, each with a move.
std::vector<std::string> sample_inputs(const std::string& variant);

}  // namespace faultline::fuzz
