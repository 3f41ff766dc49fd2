// Names of number formats.
#include "model/inference/precision.h"

#include <stdexcept>
#include <string>

namespace faultline {

std::string_view name(Precision precision) {
  return precision == Precision::Fp32 ? "fp32" : "bf16";
}

Precision parse_precision(std::string_view text) {
  if (text == "fp32") return Precision::Fp32;
  if (text == "bf16") return Precision::Bf16;
  throw std::invalid_argument("unknown precision '" + std::string(text) +
                              "'; allowed are fp32, bf16");
}

}  // namespace faultline
