// Checks, shows and saves game files.
#include "web/game_editor.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <xxhash.h>

#include "base/atomic_file.h"
#include "base/quote.h"
#include "record/run_folder.h"
#include "rules/data/known_games.h"
#include "rules/data/refusal.h"
#include "rules/variant.h"
#include "web/folder_entries.h"
#include "web/places.h"
#include "web/static_page.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDrafts = 200;

struct GameMistake {
  bool is_error = true;
  int line = 0;
  std::string text;
};

struct Checked {
  std::optional<data::GameFile> game;  // nullopt if there are errors
  std::vector<GameMistake> mistakes;
};

/// Of "FILE:12: start.fen: …" or "FILE: …".
GameMistake refusal_mistake(std::string_view message, const std::string& file) {
  GameMistake mistake;
  if (message.starts_with(file)) message.remove_prefix(file.size());
  if (message.starts_with(':')) {
    message.remove_prefix(1);
    const auto [end, error] =
        std::from_chars(message.data(), message.data() + message.size(), mistake.line);
    if (error == std::errc()) message.remove_prefix(static_cast<std::size_t>(end - message.data()));
  }
  message.remove_prefix(std::min(message.find_first_not_of(": "), message.size()));
  mistake.text = message;
  return mistake;
}

Checked check(std::string_view text, const std::string& file) {
  data::LoadedGame loaded = data::load_game_text(text, file, data::usual_game_folders());
  Checked checked{.game = std::move(loaded.game), .mistakes = {}};
  for (const data::Finding& finding : loaded.findings) {
    const bool own = finding.file == file;
    const std::string place =
        own ? "" : fmt::format("{}:{}: ", fs::path(finding.file).filename().string(), finding.line);
    checked.mistakes.push_back({.is_error = finding.is_error,
                                .line = own ? finding.line : 0,
                                .text = place + finding.text});
  }
  if (!checked.game) return checked;
  if (const std::string refused = data::refusal(*checked.game, file); !refused.empty()) {
    checked.mistakes.push_back(refusal_mistake(refused, file));
    checked.game.reset();
  }
  return checked;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in.is_open() || in.bad())
    throw RequestError(file.filename().string() + ": cannot be read", "name");
  return text;
}

/// The file of a game that comes with the program; empty if there is none.
fs::path shipped_file(const std::string& name) {
  const std::vector<std::string> names = data::shipped_game_names();
  if (std::ranges::find(names, name) == names.end()) return {};
  std::error_code ignored;
  for (const fs::path& folder : data::usual_game_folders())
    if (fs::exists(folder / (name + ".toml"), ignored)) return folder / (name + ".toml");
  return {};
}

/// The canonical text under another name.
std::string renamed(std::string text, const std::string& name) {
  constexpr std::string_view kKey = "name = ";
  std::size_t at = text.starts_with(kKey) ? 0 : text.find("\nname = ");
  if (at == std::string::npos) throw VariantError("the game has no name");
  if (at > 0) ++at;
  const std::size_t end = std::min(text.find('\n', at), text.size());
  return text.replace(at, end - at, fmt::format("{}\"{}\"", kKey, name));
}

/// Whether the program knows this game, and no other, by its name.
bool is_known(const data::GameFile& game) {
  try {
    return data::known_game(game.name).text == game.text;
  } catch (const VariantError&) {
    return false;
  }
}

}  // namespace

std::string GameEditor::playable_name(const data::GameFile& game) {
  if (is_known(game)) return std::string(data::kDataPrefix) + game.name;
  const std::string name =
      fmt::format("draft-{:016x}", XXH3_64bits(game.text.data(), game.text.size()));
  const std::lock_guard lock(mutex_);
  if (!drafts_.contains(name)) {
    if (drafts_.size() >= kMostDrafts)
      throw VariantError(
          fmt::format("{} versions of games were shown, and no more are kept: start the lab again",
                      kMostDrafts));
    data::offer_game(renamed(game.text, name), name);
    drafts_.insert(name);
  }
  return std::string(data::kDataPrefix) + name;
}

ReportJson GameEditor::game_file(const ReportJson& request) {
  std::string text, file = (lab_->root() / "typed.toml").string();
  if (find_field(request, "text") != nullptr) {
    text = text_field(request, "text");
  } else {
    const std::string name = text_field(request, "name");
    fs::path from = shipped_file(name);
    if (from.empty()) {
      if (name.find('/') == std::string::npos && !name.ends_with(".toml"))
        throw RequestError("there is no game file called " + quote(name, 100), "name");
      from = lab_->existing(name, "name");
      if (!is_game_file(from)) throw RequestError(quote(name, 100) + ": is no game file", "name");
    }
    text = text_of(from);
    file = from.string();
  }
  const Checked checked = check(text, file);
  ReportJson reply = {{"text", std::move(text)}, {"mistakes", ReportJson::array()}};
  const auto add = [&](int line, std::string message) {
    reply["mistakes"].push_back({{"line", line}, {"text", std::move(message)}});
  };
  for (const GameMistake& mistake : checked.mistakes)
    add(mistake.line, (mistake.is_error ? "" : "warning: ") + mistake.text);
  if (!checked.game) return reply;
  try {
    const std::string name = playable_name(*checked.game);
    reply["game"] = name;
    if (position_) reply["position"] = position_({{"game", name}, {"moves", ReportJson::array()}});
  } catch (const std::runtime_error& error) {
    add(0, error.what());
  }
  return reply;
}

ReportJson GameEditor::page(const ReportJson& request) {
  const fs::path file = lab_->existing(text_field(request, "path"));
  if (!is_game_file(file)) throw RequestError("is no game file", "path");
  const Checked checked = check(text_of(file), file.string());
  if (!checked.game) throw RequestError("there are mistakes in it: edit it first", "path");
  const fs::path out = fs::path(file).replace_extension(".html");
  try {
    const StaticPage page =
        page_of_game(checked.game->name, checked.game->title, checked.game->text);
    write_new_file(out, static_page(page, browser_program(), true).front().second);
  } catch (const NoBrowserProgram& error) {
    throw RequestError(error.what());
  } catch (const std::system_error& error) {
    throw RequestError(error.what(), "path");
  }
  return {{"path", lab_->name_of(out)}};
}

ReportJson GameEditor::save(const ReportJson& request) {
  const std::string text = text_field(request, "text");
  const std::string given = text_field(request, "path");
  const fs::path file = lab_->possible(given);
  const auto refuse = [&](const std::string& reason) {
    throw RequestError(quote(given, 200) + ": " + reason, "path");
  };
  if (file.extension() != ".toml") refuse("a game's file ends in .toml");
  std::error_code ignored;
  if (fs::exists(file, ignored) && !(fs::is_regular_file(file, ignored) && is_game_file(file)))
    refuse("is there already, and is no game file");
  if (RunFolder::holds_run(file.parent_path())) refuse("is in a run's folder");
  const Checked checked = check(text, file.string());
  if (!checked.game) {
    const auto first = std::ranges::find(checked.mistakes, true, &GameMistake::is_error);
    throw RequestError(first == checked.mistakes.end() ? "is no game"
                       : first->line > 0 ? fmt::format("line {}: {}", first->line, first->text)
                                         : first->text,
                       "text");
  }
  try {
    fs::create_directories(file.parent_path());
    if (fs::exists(file))
      write_file_atomically(file, text);
    else
      write_new_file(file, text);
  } catch (const std::system_error& error) {
    throw RequestError(error.what(), "path");
  }
  try {  // by its own name, unless another game has it
    if (!is_known(*checked.game)) data::offer_game(checked.game->text, file.string());
    return {{"game", playable_name(*checked.game)}};
  } catch (const VariantError& error) {
    throw RequestError(error.what(), "text");
  }
}

}  // namespace faultline::web
