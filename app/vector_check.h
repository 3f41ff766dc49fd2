// Checks the rules against test vectors: JSON Lines of the form that docs/vectors.md describes.
#pragma once

#include <cstddef>
#include <istream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace faultline {

/// A line that is not a vector: not JSON, or a key that is missing, unknown or of the wrong type.
/// The message names the file, the line and the key.
class VectorFormatError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct VectorFailure {
  std::size_t line = 0;    // counted from 1
  std::string difference;  // expected and actual results; may have several lines
};

struct VectorReport {
  std::size_t passed = 0;
  std::vector<VectorFailure> failures;
  std::map<std::string, std::size_t> skipped;  // vectors of families that are not built, by family

  std::size_t skipped_count() const;
};

/// Runs every vector of a stream; `source` is its name in messages. Blank lines are skipped.
/// Throws VectorFormatError at the first line that is not a vector.
VectorReport check_vectors(std::istream& in, const std::string& source);
/// The same, adding to `report`, which then also has what was found before the exception.
void check_vectors(std::istream& in, const std::string& source, VectorReport& report);

}  // namespace faultline
