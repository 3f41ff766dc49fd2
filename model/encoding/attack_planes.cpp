// Which planes show attacks.
#include "model/encoding/attack_planes.h"

#include <cstddef>
#include <string>
#include <vector>

namespace faultline {
namespace {

constexpr const char* kLastAttackPlane = "enemy double attacks";

std::vector<std::string> attack_plane_names(int levels) {
  std::vector<std::string> names;
  for (int level = 1; level <= levels; ++level)
    for (const char* name :
         {"own attacks", "own double attacks", "enemy attacks", kLastAttackPlane})
      names.push_back((levels > 1 ? "level " + std::to_string(level) + ": " : "") + name);
  return names;
}

}  // namespace

EncodingInfo with_attack_planes(const EncodingInfo& encoding) {
  EncodingInfo with = encoding;
  const std::vector<std::string> names = attack_plane_names(encoding.levels);
  with.planes.insert(with.planes.end(), names.begin(), names.end());
  return with;
}

bool has_attack_planes(const EncodingInfo& encoding) {
  // By the last name alone: cheap, and safe for descriptions that have not been checked.
  return encoding.planes.size() > kAttackPlanes * static_cast<std::size_t>(encoding.levels) &&
         encoding.planes.back().ends_with(kLastAttackPlane);
}

EncodingInfo without_attack_planes(EncodingInfo encoding) {
  if (has_attack_planes(encoding))
    encoding.planes.resize(encoding.planes.size() -
                           kAttackPlanes * static_cast<std::size_t>(encoding.levels));
  return encoding;
}

bool is_encoding_of(const EncodingInfo& trained, const EncodingInfo& family) {
  return trained == family || trained == with_attack_planes(family);
}

}  // namespace faultline
