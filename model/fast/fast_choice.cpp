// Which of a file's two networks is to play.
#include "model/fast/fast_choice.h"

#include <exception>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "model/checkpoint.h"
#include "model/checkpoint_file.h"
#include "model/fast/fast_file.h"

namespace faultline {
namespace {

bool is_checkpoint(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string bytes(kCheckpointMagic.size(), '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return in && bytes == kCheckpointMagic;
}

}  // namespace

std::string text(const FastMatch& match) {
  return fmt::format(
      "the fast network scores {:.1f} % against the other one at {} ms per move ({} games)",
      100 * match.score, match.milliseconds, match.games);
}

void store_fast_match(const std::filesystem::path& file, const FastMatch& match) {
  CheckpointFile checkpoint = CheckpointFile::read(file);
  checkpoint.header[kFastNetworkKey]["match"] = {
      {"ms", match.milliseconds}, {"games", match.games}, {"score", match.score}};
  checkpoint.write(file);
}

std::optional<FastMatch> stored_fast_match(const std::filesystem::path& file) {
  if (!is_checkpoint(file)) return std::nullopt;  // a bundle, or an exported fast network
  const CheckpointFile checkpoint = CheckpointFile::read(file);
  const auto fast = checkpoint.header.find(kFastNetworkKey);
  if (fast == checkpoint.header.end() || !fast->contains("match")) return std::nullopt;
  try {
    const nlohmann::json& match = (*fast)["match"];
    return FastMatch{.milliseconds = json_field<int>(match, "ms", "match"),
                     .games = json_field<int>(match, "games", "match"),
                     .score = json_field<double>(match, "score", "match")};
  } catch (const std::exception& error) {
    throw CheckpointError(file, error.what());
  }
}

bool fast_is_stronger(const std::filesystem::path& file) {
  if (!read_checkpoint_info(file).has_network) return true;
  const auto match = stored_fast_match(file);
  return match && match->score >= 0.5;
}

}  // namespace faultline
