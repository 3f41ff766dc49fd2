// Names of precisions and of forms of the policy.
#include "model/export/export_options.h"

namespace faultline {

std::string_view name(ExportPrecision precision) {
  switch (precision) {
    case ExportPrecision::Fp32:
      return "fp32";
    case ExportPrecision::Fp16:
      return "fp16";
    case ExportPrecision::Bf16:
      return "bf16";
  }
  return "";
}

std::string_view name(PolicyForm form) {
  return form == PolicyForm::Legal ? "legal" : "full";
}

}  // namespace faultline
