// Names of the precisions.
#include "model/inference/precision.h"

#include <stdexcept>
#include <string>

#include "base/quote.h"

namespace faultline {

std::string_view name(Precision precision) {
  switch (precision) {
    case Precision::Fp32:
      return "fp32";
    case Precision::Bf16:
      return "bf16";
    case Precision::Int8:
      return "int8";
  }
  return "unknown";
}

Precision precision_named(std::string_view text) {
  std::string names;
  for (const Precision precision : kPrecisions) {
    if (name(precision) == text) return precision;
    names += (names.empty() ? "" : ", ") + std::string(name(precision));
  }
  throw std::invalid_argument("unknown precision " + quote(text) + "; there are " + names);
}

}  // namespace faultline
