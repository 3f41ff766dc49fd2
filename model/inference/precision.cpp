// Names of the precisions.
#include "model/inference/precision.h"

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

}  // namespace faultline
