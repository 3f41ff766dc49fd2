// Games by name, read once.
#include "rules/data/known_games.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "rules/variant.h"

namespace faultline::data {
namespace {

namespace fs = std::filesystem;

struct Known {
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<const GameFile>> games;  // by name; guarded by mutex
  std::map<std::string, const GameFile*> files;                  // by path; guarded by mutex
};
Known& known() {
  static Known known;
  return known;
}

bool is_file_name(std::string_view text) {
  return text.ends_with(".toml") || text.find('/') != std::string_view::npos;
}

fs::path shipped_file(const std::string& name) {
  std::error_code ignored;
  for (const fs::path& folder : usual_game_folders())
    if (fs::exists(folder / (name + ".toml"), ignored)) return folder / (name + ".toml");
  const std::vector<std::string> names = shipped_game_names();
  throw VariantError("there is no game " + quote(name) + ": no file games/" + name +
                     ".toml here or with the program" + did_you_mean(nearest_name(name, names)));
}

/// The text without what it says for people.
std::string rules_in(std::string_view text) {
  std::string rules;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    if (line.starts_with('[')) return rules.append(text);
    const std::string_view key = line.substr(0, line.find(' '));
    constexpr std::array<std::string_view, 5> kForPeople = {"inventor", "source", "summary",
                                                            "title", "year"};
    if (std::ranges::find(kForPeople, key) == kForPeople.end()) rules.append(line);
    text.remove_prefix(end);
  }
  return rules;
}

std::string copy_in(const fs::path& folder) {
  std::ifstream game(folder / kGameCopyName, std::ios::binary);
  return {std::istreambuf_iterator<char>(game), {}};
}

const GameFile& added(Known& all, LoadedGame loaded, const std::string& source) {
  if (!loaded.game) throw VariantError(loaded.errors());
  auto& place = all.games[loaded.game->name];
  if (place && !is_same_game(place->text, loaded.game->text))
    throw VariantError(source + ": another game is known as " + quote(place->name) +
                       " already; give one of them another name");
  if (!place) place = std::make_unique<const GameFile>(std::move(*loaded.game));
  return *place;
}

}  // namespace

const GameFile& known_game(const std::string& name_or_file) {
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  if (const auto found = all.games.find(name_or_file); found != all.games.end())
    return *found->second;
  if (const auto found = all.files.find(name_or_file); found != all.files.end())
    return *found->second;
  const fs::path file =
      is_file_name(name_or_file) ? fs::path(name_or_file) : shipped_file(name_or_file);
  const GameFile& game = added(all, load_game_file(file, usual_game_folders()), file.string());
  all.files[name_or_file] = &game;
  return game;
}

void offer_game(std::string_view text, const std::string& source) {
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  LoadedGame loaded = load_game_text(text, source);  // which needs no other files
  if (loaded.game && all.games.contains(loaded.game->name)) return;
  added(all, std::move(loaded), source);
}

void offer_game_in(const std::filesystem::path& folder) {
  if (const std::string text = copy_in(folder); !text.empty())
    offer_game(text, (folder / kGameCopyName).string());
}

bool has_copy_of_another(const std::filesystem::path& folder, const std::string& canonical_name) {
  const std::string text = copy_in(folder);
  return !text.empty() && !is_same_game(text, game_text(canonical_name));
}

bool is_same_game(std::string_view a, std::string_view b) {
  return a == b || rules_in(a) == rules_in(b);
}

std::string game_text(const std::string& canonical_name) {
  if (!canonical_name.starts_with(kDataPrefix)) return "";
  return known_game(canonical_name.substr(kDataPrefix.size())).text;
}

std::vector<std::string> shipped_game_names() {
  std::set<std::string> names;
  std::error_code ignored;
  for (const fs::path& folder : usual_game_folders())
    for (const auto& entry : fs::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".toml") names.insert(entry.path().stem().string());
  return {names.begin(), names.end()};
}

}  // namespace faultline::data
