// Loading checkpoints for inference.
#include "model/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "model/checkpoint_file.h"
#include "model/encoding/attack_planes.h"
#include "model/export/bundle.h"
#include "model/fast/fast_file.h"
#include "model/inference/folded_backend.h"
#include "model/level_boards.h"
#include "rules/data/known_games.h"

namespace faultline {

std::string CheckpointInfo::weights() const {
  char digits[16];
  const auto end = std::to_chars(std::begin(digits), std::end(digits), weights_hash, 16).ptr;
  std::string text(static_cast<std::size_t>(std::end(digits) - end), '0');
  return text.append(std::begin(digits), end);
}

CheckpointInfo read_checkpoint_info(const std::filesystem::path& path) {
  if (is_bundle(path)) return read_bundle_network(path).info;
  if (auto info = fast_export_info(path)) return *std::move(info);
  return info_of(CheckpointFile::read(path), path);
}

namespace {

void require_same_game(const std::filesystem::path& path, const EncodingInfo& found,
                       const EncodingInfo& expected) {
  if (!data::is_same_game(found.game, expected.game))
    throw EncodingMismatch(path, "is for another game that is called " +
                                     quote(expected.variant, 100) +
                                     ", too: their files differ; give one of them another name");
}

}  // namespace

void require_encoding(const std::filesystem::path& path, const EncodingInfo& found,
                      const EncodingInfo& expected) {
  if (is_encoding_of(found, without_attack_planes(expected))) return;
  if (found.family != expected.family)
    throw EncodingMismatch(
        path, "is for the family " + quote(found.family) + "; expected " + quote(expected.family));
  if (found.variant != expected.variant)
    throw EncodingMismatch(path, "is for the variant " + quote(found.variant, 100) + "; expected " +
                                     quote(expected.variant, 100));
  if (found.version != expected.version)
    throw EncodingMismatch(path, "has version " + std::to_string(found.version) + " of the " +
                                     found.family + " encoding; expected " +
                                     std::to_string(expected.version));
  require_same_game(path, found, expected);
  throw EncodingMismatch(path,
                         "describes its planes or policy kinds differently from this program "
                         "for version " +
                             std::to_string(expected.version) + " of the " + found.family +
                             " encoding");
}

void require_fitting_encoding(const std::filesystem::path& path, const EncodingInfo& found,
                              const EncodingInfo& expected) {
  const auto compare = [&](const std::string& key, const std::string& theirs,
                           const std::string& ours) {
    if (theirs != ours)
      throw EncodingMismatch(path, "does not fit the variant " + quote(expected.variant, 100) +
                                       ": its 'encoding." + key + "' is " + theirs + "; expected " +
                                       ours);
  };
  const auto compare_names = [&](const std::string& key, const std::vector<std::string>& theirs,
                                 const std::vector<std::string>& ours) {
    for (std::size_t i = 0; i < std::min(theirs.size(), ours.size()); ++i)
      compare(key + "[" + std::to_string(i) + "]", quote(theirs[i], 100), quote(ours[i], 100));
    compare(key, std::to_string(theirs.size()) + " long", std::to_string(ours.size()) + " long");
  };
  compare("family", quote(found.family), quote(expected.family));
  compare("version", std::to_string(found.version), std::to_string(expected.version));
  compare("symmetry", quote(found.symmetry), quote(expected.symmetry));
  compare("height", std::to_string(found.height), std::to_string(expected.height));
  compare("width", std::to_string(found.width), std::to_string(expected.width));
  compare("levels", std::to_string(found.levels), std::to_string(expected.levels));
  compare_names("planes", found.planes, expected.planes);
  compare_names("policy_kinds", found.policy_kinds, expected.policy_kinds);
  require_same_game(path, found, expected);
}

void require_fitting_network(const std::filesystem::path& path, const CheckpointInfo& found,
                             const EncodingInfo& expected) {
  if (found.net.share_levels && has_level_planes(expected))
    require_fitting_encoding(path, first_level_alone(found.encoding), first_level_alone(expected));
  else
    require_fitting_encoding(path, found.encoding, expected);
}

namespace {

/// The encoding with which a network plays positions that are encoded as `expected`: its own, or,
/// where it shares its levels, that of another number of them.
EncodingInfo encoding_for(const std::filesystem::path& path, const CheckpointInfo& info,
                          const EncodingInfo& expected) {
  const EncodingInfo family = without_attack_planes(expected);
  if (is_encoding_of(info.encoding, family) || !info.net.share_levels ||
      !has_level_planes(family)) {
    require_encoding(path, info.encoding, expected);
    return info.encoding;
  }
  EncodingInfo with = has_attack_planes(info.encoding) ? with_attack_planes(family) : family;
  require_fitting_network(path, info, with);
  return with;
}

}  // namespace

std::shared_ptr<Backend> load_backend(const std::filesystem::path& path,
                                      const EncodingInfo& expected, const BackendRegistry& backends,
                                      const BackendOptions& options) {
  if (is_bundle(path)) {
    BundleNetwork bundle = read_bundle_network(path);
    bundle.network.encoding = encoding_for(path, bundle.info, expected);
    if (bundle.network.config.share_levels)
      bundle.network.boards = level_boards(bundle.network.encoding);
    return make_backend(std::move(bundle.network), backends, options);
  }
  if (fast_export_info(path)) throw_fast_alone(path);
  const auto file = CheckpointFile::read(path);
  const CheckpointInfo info = info_of(file, path);
  NetworkValues values = read_values(file, path);
  const EncodingInfo encoding = encoding_for(path, info, expected);
  if (!(encoding == info.encoding)) values.description = describe_network(encoding, info.net);
  return backends.create(values, options);
}

}  // namespace faultline
