// Shared by the fuzzer and its tests: inputs, the properties they must have, and seed inputs.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::fuzz {

/// A property that every input must have is violated.
class BrokenProperty : public std::logic_error {
  using std::logic_error::logic_error;
};

/// The maximum length of a message about a position text, however long the text.
inline constexpr std::size_t kLongestMessage = 400;

/// `input` is three lines: a variant's name, a position text and a move text; any may be malformed
/// input. What the parsers accept must round-trip, be consistent, and be playable; throws
/// BrokenProperty.
void check_input(std::string_view input);

/// Variant names of every family: all values of every option that FamilyInfo lists, one option at a
/// time, and combinations.
std::vector<std::string> sample_variants();

/// Inputs from a random game of the variant: the start and every tenth position, each with a move.
std::vector<std::string> sample_inputs(const std::string& variant);

}  // namespace faultline::fuzz
