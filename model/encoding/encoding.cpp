// The JSON form of an encoding's description.
#include "model/encoding/encoding.h"

#include <stdexcept>

#include <nlohmann/json.hpp>

#include "base/json_fields.h"

namespace faultline {

nlohmann::json to_json(const EncodingInfo& info) {
  return {
      {"family", info.family},     {"variant", info.variant}, {"version", info.version},
      {"symmetry", info.symmetry}, {"height", info.height},   {"width", info.width},
      {"levels", info.levels},     {"planes", info.planes},   {"policy_kinds", info.policy_kinds}};
}

EncodingInfo encoding_from_json(const nlohmann::json& json) {
  const std::string what = "encoding";
  EncodingInfo info;
  info.family = json_field<std::string>(json, "family", what);
  info.variant = json_field<std::string>(json, "variant", what);
  info.version = json_field<int>(json, "version", what);
  info.symmetry = json_field<std::string>(json, "symmetry", what);
  info.height = json_field<int>(json, "height", what);
  info.width = json_field<int>(json, "width", what);
  info.levels = json_field<int>(json, "levels", what);
  info.planes = json_field<std::vector<std::string>>(json, "planes", what);
  info.policy_kinds = json_field<std::vector<std::string>>(json, "policy_kinds", what);
  if (info.height < 1 || info.width < 1 || info.levels < 1 || info.planes.empty() ||
      info.policy_kinds.empty())
    throw std::runtime_error(
        "encoding: 'height', 'width' and 'levels' must be at least 1, 'planes' and 'policy_kinds' "
        "not empty");
  return info;
}

}  // namespace faultline
