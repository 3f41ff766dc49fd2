// Which planes show attacks.
#include "model/encoding/attack_planes.h"

#include <algorithm>
#include <string>
#include <vector>

namespace faultline {
namespace {

std::vector<std::string> attack_plane_names(int levels) {
  std::vector<std::string> names;
  for (int level = 1; level <= levels; ++level)
    for (const char* name :
         {"own attacks", "own double attacks", "enemy attacks", "enemy double attacks"})
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
  const std::vector<std::string> names = attack_plane_names(encoding.levels);
  return encoding.planes.size() > names.size() &&
         std::equal(names.rbegin(), names.rend(), encoding.planes.rbegin());
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
