// Names of the precisions.
#include "model/inference/precision.h"

namespace faultline {

std::string_view name(Precision precision) {
  return precision == Precision::Fp32 ? "fp32" : "bf16";
}

}  // namespace faultline
