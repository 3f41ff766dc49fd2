// Finds the networks that come with the program.
#include "lab/ready_networks.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "base/program_identity.h"
#include "model/checkpoint.h"
#include "model/checkpoint_folder.h"
#include "model/encoding/attack_planes.h"
#include "model/fast/fast_choice.h"
#include "play/game.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// Both of the file's networks: one that shares its levels fits any number of them, but not the
/// fast network beside it.
bool fits(const fs::path& file, const CheckpointInfo& info, const EncodingInfo& game) {
  try {
    require_fitting_encoding(file, without_attack_planes(info.encoding), game);
    return true;
  } catch (const CheckpointError&) {
    return false;
  }
}

}  // namespace

fs::path ready_network(const std::string& variant, ReadyFor fit) {
  const Game& game = find_game(variant);
  fs::path fitting;
  for (const fs::path& folder : shared_folders("nets")) {
    std::vector<fs::path> files;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".pt" && !is_step_count(entry.path().stem().string()))
        files.push_back(entry.path());  // others are those of a run
    std::ranges::sort(files);
    for (const fs::path& file : files) {
      try {
        const CheckpointInfo info = read_checkpoint_info(file);
        if (info.encoding.variant == game.variant()) return file;
        if (fitting.empty() && fit == ReadyFor::Family && fits(file, info, game.encoding()))
          fitting = file;
      } catch (const CheckpointError&) {
        continue;  // it may be anybody's folder of this name
      }
    }
  }
  return fitting;
}

PlayerSpec stronger_player(const fs::path& net) {
  return find_player((fast_is_stronger(net) ? "alphabeta?eval=" : "") + net.string());
}

PlayerSpec ready_player(const std::string& variant) {
  const fs::path net = ready_network(variant);
  return net.empty() ? find_player("alphabeta") : stronger_player(net);
}

}  // namespace faultline
