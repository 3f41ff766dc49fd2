// Reads recorded games and shows them.
#include "report/text_games.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/unreadable_file.h"
#include "report/game_frames.h"
#include "report/opening_section.h"

namespace faultline {
namespace {

std::optional<float> lowest_hope(const TextGame& game, Colour first) {
  std::optional<float> lowest;
  for (std::size_t ply = 0; ply < game.comments.size(); ++ply) {
    const auto& value = game.comments[ply].value;
    const Colour mover = ply % 2 == 0 ? first : ~first;
    const GameResult win = mover == Colour::White ? GameResult::WhiteWins : GameResult::BlackWins;
    if (value && game.result == win)
      lowest = std::min(lowest.value_or(1), value->win + value->draw / 2);
  }
  return lowest;
}

}  // namespace

LoggedGame logged_game(const TextGame& game, std::uint64_t number, Colour first, GameLog& log) {
  const std::optional<float> hope = lowest_hope(game, first);
  return {.number = number,
          .plies = static_cast<std::uint32_t>(game.moves.size()),
          .ending = log.ending_number(ending_of(game)),
          .result = game.result,
          .lowest_hope = hope.value_or(1),
          .decided_by_opening = decided_by_opening(
              static_cast<std::size_t>(std::max(0, game.opening_plies)), game.moves.size(), hope)};
}

std::string name_of(const TextGame& game, std::size_t number) {
  for (const auto& [tag, value] : game.tags)
    if (tag == "Round" && value != "?" && value != "-") return "round " + value;
  return fmt::format("game {}", number + 1);
}

std::string title_of(const TextGame& game, std::size_t number) {
  std::string name = name_of(game, number);
  if (game.white.empty() || game.black.empty() || game.white == game.black) return name;
  return fmt::format("{}: {} – {}", name, game.white, game.black);
}

void TextGames::add(TextGame text) {
  const Game& rules = find_game(text.variant);
  const auto position = text.start_fen.empty() ? rules.start() : rules.from_fen(text.start_fen);
  log_.add(logged_game(text, games_.size(), position->side_to_move(), log_));
  if (text.start_fen.empty()) {
    std::vector<Move> moves;
    for (const std::string& move :
         std::span(text.moves).first(std::min(text.moves.size(), OpeningTree::kDepth))) {
      moves.push_back(position->parse_move(move).value());  // the reader has checked it
      position->play(moves.back());
    }
    openings_.add(moves, static_cast<std::size_t>(std::max(0, text.opening_plies)), text.result);
  }
  games_.push_back(std::move(text));
}

std::vector<TextGame> read_games(const std::filesystem::path& file, const std::string& variant,
                                 std::vector<std::string>& notices) {
  std::vector<TextGame> games;
  if (const auto reason = why_unreadable(file)) {
    notices.push_back(*reason);
    return games;
  }
  std::ifstream in(file, std::ios::binary);
  GameReader reader(in, file.string(), variant);
  for (bool more = true; more;)
    try {
      std::optional<TextGame> game = reader.next();
      more = game.has_value();
      if (more) games.push_back(std::move(*game));
    } catch (const GameTextError& error) {
      notices.emplace_back(error.what());
    }
  return games;
}

void add_all_games(const TextGames& games, const std::string& titles, Report& report) {
  ReportJson shown = report_section("games", "Games" + titles);
  shown["games"] = ReportJson::array();
  for (std::size_t i = 0; i < games.games().size(); ++i) {
    const TextGame& game = games.games()[i];
    shown["games"].push_back(game_json(report.pictures, game, name_of(game, i), title_of(game, i)));
  }
  report.sections.push_back(std::move(shown));
}

void add_game_sections(const GameSections& sections, std::size_t most, Report& report) {
  ReportJson shown = report_section("games", "Games" + sections.titles, sections.games_note);
  shown["games"] = ReportJson::array();
  for (const ChosenGame& chosen : choose_games(sections.log, most))
    try {
      const ShownGame one = sections.read(chosen.number);
      shown["games"].push_back(game_json(report.pictures, one.game, one.name,
                                         chosen.label.empty() ? one.title : chosen.label));
    } catch (const std::runtime_error& error) {
      report.notices.emplace_back(error.what());
    }
  if (!shown["games"].empty()) report.sections.push_back(std::move(shown));
  if (sections.openings != nullptr) {
    const Game& rules = find_game(sections.variant);
    ReportJson tree =
        report_section("openings", "Openings" + sections.titles, sections.openings_note);
    tree["tree"] = opening_json(*sections.openings, rules, report.pictures);
    if (tree["tree"].contains("n")) report.sections.push_back(std::move(tree));
  }
  for (ReportJson section :
       {ending_section(sections.log, sections.groups), length_section(sections.groups)}) {
    section["title"] = section["title"].get<std::string>() + sections.titles;
    report.sections.push_back(std::move(section));
  }
}

void add_game_sections(const TextGames& games, const GameSectionTexts& texts,
                       const ReportOptions& options, Report& report) {
  if (games.games().empty()) return;
  add_game_sections({.log = games.log(),
                     .read =
                         [&](std::uint64_t number) {
                           const TextGame& game = games.games()[number];
                           return ShownGame{game, name_of(game, number), title_of(game, number)};
                         },
                     .groups = {{"games", games.log().games()}},
                     .variant = games.games().front().variant,
                     .openings = games.openings().has_choices() ? &games.openings() : nullptr,
                     .titles = texts.titles,
                     .openings_note = texts.random_moves},
                    options.games, report);
}

}  // namespace faultline
