// libFuzzer target: files that describe games. With FAULTLINE_SEEDS=FOLDER in the environment it
// first writes seed inputs, and must run in the repository root.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <string_view>

#include "rules/data/game_file.h"

namespace {

void require(bool holds, std::string_view property, std::string_view text) {
  if (holds) return;
  std::cerr << property << ":\n" << text << '\n';
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("FAULTLINE_SEEDS");
  if (folder == nullptr) return 0;
  for (const auto& entry : std::filesystem::directory_iterator("games"))
    std::filesystem::copy_file(entry.path(), folder / entry.path().filename(),
                               std::filesystem::copy_options::overwrite_existing);
  return 0;
}

/// A text is a game or is told to be wrong, in messages that are short and safe to print; a game is
/// the same from its merged text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace faultline::data;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const GameFolders folders = {FAULTLINE_SOURCE_DIR "/games"};
  const LoadedGame loaded = load_game_text(text, "games/fuzzed.toml", folders);
  require(loaded.game.has_value() != loaded.has_errors(), "a game or an error", text);
  for (const Finding& finding : loaded.findings) {
    constexpr std::size_t kLongest = 1500;
    require(finding.text.size() < kLongest, "a short message", finding.text);
    const bool safe = std::ranges::all_of(
        finding.text, [](char c) { return static_cast<unsigned char>(c) >= ' ' && c != '\x7f'; });
    require(safe, "a message that is safe to print", finding.text);
  }
  if (!loaded.game) return 0;
  const LoadedGame again = load_game_text(loaded.game->text, "again.toml");
  require(again.game && again.game->text == loaded.game->text, "the same game again", text);
  return 0;
}
