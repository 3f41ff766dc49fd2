#include "app/lab_place.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "app/commands.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "base/nearest_name.h"
#include "base/quote.h"
#include "lab/players.h"
#include "play/game.h"
#include "play/game_text.h"
#include "record/run_folder.h"
#include "report/report.h"
#include "rules/data/known_games.h"
#include "rules/families.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kForms =
    "a game's name or file, a network's file, a run's folder, or a folder with any of these";

/// A value of a field of the fragment: what the page would take for something else is escaped.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-._~/:,=").find(c) != std::string_view::npos)
      result += c;
    else
      result += fmt::format("%{:02X}", byte);
  }
  return result;
}

std::optional<fs::path> path_within(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  if (relative.empty() || *relative.begin() == "..") return std::nullopt;
  return relative;
}

/// The folder of the lab in which `path` lies: the current one, or else the one with the "runs" or
/// the like in which it is, or else the one that it is in.
fs::path root_of(const fs::path& path) {
  fs::path here = fs::weakly_canonical(fs::current_path());
  if (path_within(path, here)) return here;
  constexpr std::string_view kKinds[] = {"runs", "tournaments", "studies", "surveys", "games"};
  for (fs::path folder = path.parent_path(); folder != folder.root_path();
       folder = folder.parent_path())
    if (std::ranges::find(kKinds, folder.filename().string()) != std::end(kKinds))
      return folder.parent_path();
  return path.parent_path();
}

LabPlace place_of(const fs::path& path, std::string_view field, std::string_view before = "") {
  const fs::path root = root_of(path);
  const std::string within = path.lexically_relative(root).string();
  return {root, fmt::format("{}{}={}", before, field, escaped(within))};
}

bool is_results(const fs::path& path) {
  return std::ranges::any_of(report_sources(),
                             [&](const ReportSource& source) { return source.is_one(path); });
}

LabPlace folder_place(const fs::path& folder) {
  if (RunFolder::holds_run(folder)) return place_of(folder, "run");
  if (is_results(folder)) return place_of(folder, "folder");
  return {folder, ""};
}

LabPlace game_place(const std::string& variant) {
  return {fs::weakly_canonical(fs::current_path()), "g=" + escaped(variant)};
}

LabPlace file_place(const std::string& text, const fs::path& file) {
  if (file.extension() == ".toml")
    return game_place(std::string(data::kDataPrefix) + data::known_game(text).name);
  std::string variant;
  try {
    variant = variant_of("", {find_player(text)});
  } catch (const std::exception& error) {
    std::ifstream in(file);
    if (holds_games(in, file.filename().string())) return place_of(file, "folder");
    throw UsageError(fmt::format("{}: {}", error.what(), text));
  }
  return place_of(file, "player", "g=" + escaped(variant) + "&");
}

/// A name that is none of a file or folder.
LabPlace named_place(const std::string& text) {
  if (const auto run = reporting_input_errors([&] { return find_run(text); }))
    return place_of(fs::weakly_canonical(*run), "run");
  try {
    return game_place(find_game(text).variant());
  } catch (const VariantError& error) {
    const std::string family = text.substr(0, text.find(':'));
    std::vector<std::string> names = {};
    for (const FamilyInfo* one : all_families())
      names.push_back(one->name);
    if (std::ranges::find(names, family) != names.end() || text.starts_with(data::kDataPrefix))
      throw;  // it says which option is wrong
    for (const std::string& name : data::shipped_game_names())
      names.push_back(std::string(data::kDataPrefix) + name);
    throw UsageError(fmt::format("there is no file, folder or game {}{}; give {}", quote(text),
                                 did_you_mean(nearest_name(text, names)), kForms));
  }
}

}  // namespace

LabPlace find_lab_place(const std::string& text) {
  std::error_code error;
  if (text.empty()) return {fs::weakly_canonical(fs::current_path()), ""};
  const fs::path path = fs::weakly_canonical(text, error);
  const auto type = error ? fs::file_type::not_found : fs::status(path, error).type();
  if (type == fs::file_type::directory) return folder_place(path);
  if (type == fs::file_type::regular) return file_place(text, path);
  return named_place(text);
}

}  // namespace faultline
