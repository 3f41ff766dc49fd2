// Reads the games that a page of them shows.
#include "web/game_pages.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text.h"
#include "play/game.h"
#include "record/chunk.h"
#include "record/replay_store.h"
#include "record/run_folder.h"
#include "report/game_frames.h"
#include "report/run_games.h"
#include "report/text_games.h"
#include "web/folder_entries.h"
#include "web/game_reading.h"
#include "web/legal_moves.h"
#include "web/places.h"
#include "web/processes.h"
#include "web/run_status.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMostOnPage = 200;
constexpr std::int64_t kMostOnWall = 48;
/// How many games a filter looks at: about a second's worth.
constexpr std::size_t kMostRecords = 20'000;
constexpr std::size_t kMostTags = 20'000;
constexpr std::size_t kMostWithMoves = 2'000;

/// A page of what passes, one after the other, and how many did.
class Page {
 public:
  Page(std::size_t from, std::size_t count) : from_(from), end_(from + count) {}

  /// Whether the one that passes now is on the page.
  bool takes_next() {
    const std::size_t place = passed_++;
    return place >= from_ && place < end_;
  }
  void add(ReportJson game) { games_.push_back(std::move(game)); }
  ReportJson reply() { return {{"games", std::move(games_)}, {"total", passed_}}; }

 private:
  std::size_t from_, end_;
  std::size_t passed_ = 0;
  ReportJson games_ = ReportJson::array();
};

ReportJson game_of_page(const TextGame& game, const std::string& name) {
  ReportJson json = read_game_json(game);
  json["name"] = name;
  return json;
}

std::string name_of_record(std::uint64_t number) {
  return "game " + grouped(number);
}

/// Its game, as it has been made known.
const Game& game_of_run(const fs::path& run) {
  try {
    RunFolder::offer_game(run);
    const std::string variant = variant_of_run(run);
    if (variant.empty()) throw RequestError("no file says which variant the run plays", "path");
    return find_game(variant);
  } catch (const RunError& error) {
    throw RequestError(error.what(), "path");
  } catch (const VariantError& error) {
    throw RequestError(error.what(), "path");
  }
}

/// The text of a part of a file.
std::string text_at(std::ifstream& in, std::uint64_t offset, std::uint64_t bytes) {
  std::string text(static_cast<std::size_t>(bytes), '\0');
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset));
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(in.gcount()));
  return text;
}

/// The first game of a text, without its moves if `tags_only`; nullopt if it cannot be read.
std::optional<TextGame> game_in(const std::string& text, bool tags_only) {
  std::istringstream in(text);
  GameReader reader(in, "");
  try {
    return tags_only ? reader.next_result() : reader.next_with_variations();
  } catch (const GameTextError&) {
    return std::nullopt;
  }
}

/// The files with the games of what is no run.
std::vector<fs::path> files_of(const fs::path& path, const std::string& kind) {
  if (kind == "games") return {path};
  if (kind != "study") return {path / "games.pgn"};
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(path / "games", error), end; !error && entry != end;
       entry.increment(error))
    files.push_back(entry->path() / "games.pgn");
  std::ranges::sort(files);
  return files;
}

/// "run", or another kind of what has games.
std::string kind_with_games(const fs::path& path) {
  std::string kind = kind_of(path);
  constexpr std::array<std::string_view, 5> kKinds = {"run", "tournament", "study", "survey",
                                                      "games"};
  if (std::ranges::find(kKinds, kind) == kKinds.end())
    throw RequestError(
        quote(path.filename().string(), 100) +
            ": has no games; a run's, a tournament's, a study's or a survey's folder has, or a PGN "
            "file",
        "path");
  return kind;
}

/// Says that the wall of a run is looked at, so that the run goes on to write its games in
/// progress, and reads these; none if it does not run.
std::vector<GameRecord> live_games_of(const fs::path& run, const std::string& variant) {
  constexpr auto kFresh = std::chrono::seconds(5);
  if (!HeldLocks().holder(run / "lock")) return {};
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  const fs::path watched = RunFolder::watched(run);
  std::ofstream(watched, std::ios::app).close();
  fs::last_write_time(watched, now, error);
  const fs::path file = RunFolder::live_games(run);
  const fs::file_time_type written = fs::last_write_time(file, error);
  if (error || now - written > kFresh) return {};
  const std::vector<std::byte> bytes = read_chunk_file(file);
  const ChunkContents contents = scan_chunk(bytes, file, variant);
  std::vector<GameRecord> games;
  for (const StoredGame& game : contents.games)
    games.push_back(read_frame(std::span(bytes).subspan(game.offset), game));
  return games;
}

/// What the searches of a game preferred, by ply: the moves with the largest weights, the first
/// before others, with their shares in thousandths; null where the record has none. Empty if it
/// has none at all. The record's moves are legal.
ReportJson searches_of(const GameRecord& game, const Game& rules) {
  constexpr std::size_t kMost = 5;
  ReportJson searches = ReportJson::array();
  if (game.target_count() == 0) return searches;
  const auto position = game.start_fen.empty() ? rules.start() : rules.from_fen(game.start_fen);
  for (const PlyRecord& ply : game.plies) {
    const std::vector<Move> legal = position->legal_moves();
    ReportJson moves = nullptr;
    if (!ply.policy.empty() && ply.policy.size() == legal.size()) {
      std::vector<std::size_t> order(legal.size());
      std::iota(order.begin(), order.end(), 0U);
      std::ranges::stable_sort(order, std::greater(), [&](auto i) { return ply.policy[i]; });
      const double all = std::accumulate(ply.policy.begin(), ply.policy.end(), 0.0);
      const BoardPicture picture = position->board_picture();
      for (const std::size_t i : std::span(order).first(std::min(kMost, order.size()))) {
        const auto share = std::lround(1000 * ply.policy[i] / all);
        if (share < 5) break;  // less than a percent
        moves.push_back(legal_move_json(*position, picture, legal[i]));
        moves.back()["share"] = share;
      }
    }
    searches.push_back(std::move(moves));
    position->play(ply.move);
  }
  return searches;
}

ReportJson wall_reply(ReportJson games, const PictureTable& table) {
  return {{"games", std::move(games)}, {"boards", table.boards()}, {"shapes", table.shapes()}};
}

}  // namespace

std::shared_ptr<const GamePages::Chunks> GamePages::chunks_of(const fs::path& run,
                                                              const Game& rules) {
  std::shared_ptr<const Chunks> before;
  {
    const std::lock_guard lock(mutex_);
    before = runs_[run];
  }
  auto chunks = std::make_shared<Chunks>();
  for (const fs::path& file : chunks_in(run / "games")) {
    std::error_code error;
    Chunk chunk{.file = file, .bytes = fs::file_size(file, error)};
    if (error) continue;
    const std::size_t place = chunks->size();
    const bool known = before && place < before->size() && (*before)[place].file == file &&
                       (*before)[place].bytes == chunk.bytes;
    chunk.games = known ? (*before)[place].games : list_games(file, rules.variant()).size();
    chunks->push_back(std::move(chunk));
  }
  const std::lock_guard lock(mutex_);
  runs_[run] = chunks;
  return chunks;
}

std::vector<GamePages::Segment> GamePages::segments_of(const fs::path& file) {
  std::vector<Segment> games;
  std::ifstream in(file, std::ios::binary);
  std::uint64_t offset = 0;
  bool in_comment = false, in_tags = false;
  const auto begin = [&] {
    if (!games.empty()) games.back().bytes = offset - games.back().offset;
    games.push_back({.offset = offset});
  };
  for (std::string line; std::getline(in, line); offset += line.size() + 1) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    const bool is_tag = !in_comment && line[0] == '[';
    if (is_tag ? !in_tags : games.empty()) begin();
    in_tags = is_tag;
    if (is_tag || (!in_comment && line[first] == ';') || line[0] == '%') continue;
    for (const char c : line)
      in_comment = in_comment ? c != '}' : c == '{';
  }
  if (!games.empty()) games.back().bytes = offset - games.back().offset;
  return games;
}

std::shared_ptr<const GamePages::GamesFile> GamePages::games_of(const fs::path& file) {
  auto games = std::make_shared<GamesFile>(GamesFile{.file = file});
  std::error_code error;
  games->bytes = fs::file_size(file, error);
  if (!error) games->changed = fs::last_write_time(file, error);
  if (error) return games;  // none
  {
    const std::lock_guard lock(mutex_);
    const auto& known = files_[file];
    if (known && known->bytes == games->bytes && known->changed == games->changed) return known;
  }
  games->games = segments_of(file);
  const std::lock_guard lock(mutex_);
  files_[file] = games;
  return games;
}

ReportJson GamePages::page_of_run(const fs::path& run, std::size_t from, std::size_t count,
                                  GameFilter& filter) {
  const Game& rules = game_of_run(run);
  const auto chunks = chunks_of(run, rules);
  Page page(from, count);
  std::size_t all = 0, searched = 0;
  for (const Chunk& chunk : *chunks)
    all += chunk.games;
  const auto add = [&](const GameRecord& record) {
    page.add(game_of_page(text_of_record(record, rules), name_of_record(record.number)));
  };
  for (std::size_t c = chunks->size(); c-- > 0;) {
    const Chunk* const chunk = &(*chunks)[c];
    if (filter.is_empty()) {
      // Chunks before the page are only counted, as those behind it.
      std::vector<bool> taken(chunk->games);
      for (std::size_t i = 0; i < chunk->games; ++i)
        taken[i] = page.takes_next();
      if (std::ranges::find(taken, true) == taken.end()) continue;
      const std::vector<StoredGame> games = list_games(chunk->file, rules.variant());
      for (std::size_t i = 0; i < std::min(games.size(), taken.size()); ++i)
        if (taken[i]) try {
            add(read_game(games[std::min(games.size(), taken.size()) - 1 - i]));
          } catch (const std::runtime_error&) {
            continue;  // damaged
          }
      continue;
    }
    if (searched >= kMostRecords) break;
    try {
      const std::vector<std::byte> bytes = read_chunk_file(chunk->file);
      const ChunkContents contents = scan_chunk(bytes, chunk->file, rules.variant());
      for (std::size_t i = contents.games.size(); i-- > 0;) {
        const auto& game = contents.games[i];
        const GameRecord record = read_frame(std::span(bytes).subspan(game.offset), game);
        ++searched;
        if (filter.lets_pass(record, rules) && page.takes_next()) add(record);
      }
    } catch (const ReplayError&) {
      continue;
    }
  }
  ReportJson reply = page.reply();
  if (!filter.is_empty() && searched < all) reply["searched"] = searched;
  return reply;
}

ReportJson GamePages::page_of_files(const std::vector<fs::path>& files, std::size_t from,
                                    std::size_t count, GameFilter& filter) {
  Page page(from, count);
  const std::size_t most = filter.is_empty()      ? SIZE_MAX
                           : filter.needs_moves() ? kMostWithMoves
                                                  : kMostTags;
  std::size_t all = 0, searched = 0;
  for (const fs::path& file : files) {
    const auto games = games_of(file);
    all += games->games.size();
    std::ifstream in(file, std::ios::binary);
    for (std::size_t i = 0; i < games->games.size() && searched < most; ++i) {
      ++searched;
      if (filter.is_empty() && !page.takes_next()) continue;
      const std::string text = text_at(in, games->games[i].offset, games->games[i].bytes);
      if (!filter.is_empty()) {
        const auto seen = game_in(text, !filter.needs_moves());
        if (!seen || !filter.lets_pass(*seen, i + 1) || !page.takes_next()) continue;
      }
      if (const auto game = game_in(text, false)) page.add(game_of_page(*game, name_of(*game, i)));
    }
  }
  ReportJson reply = page.reply();
  if (searched < all) reply["searched"] = searched;
  return reply;
}

ReportJson GamePages::page(const ReportJson& request) {
  const fs::path path = lab_->existing(text_field(request, "path"));
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  const auto from = static_cast<std::size_t>(number_field(request, "from", 0, kMost));
  const auto count = static_cast<std::size_t>(number_field(request, "count", 0, kMostOnPage));
  GameFilter filter(optional_text(request, "filter"));
  const std::string kind = kind_with_games(path);
  return kind == "run" ? page_of_run(path, from, count, filter)
                       : page_of_files(files_of(path, kind), from, count, filter);
}

ReportJson GamePages::wall_of_run(const fs::path& run, std::size_t count,
                                  const std::string& large) {
  const Game& rules = game_of_run(run);
  const std::vector<fs::path> chunks = chunks_in(run / "games");
  PictureTable table;
  ReportJson games = ReportJson::array();
  std::set<std::uint64_t> shown;
  const auto add = [&](const GameRecord& record) {
    const TextGame text = text_of_record(record, rules);
    games.push_back(game_json(table, text, name_of_record(record.number), text.white));
    if (record.outcome == Outcome::Ongoing) games.back()["live"] = true;
    if (games.back()["name"] == large)
      if (ReportJson searches = searches_of(record, rules); !searches.empty())
        games.back()["searches"] = std::move(searches);
    shown.insert(record.number);
  };
  try {
    for (const GameRecord& record : live_games_of(run, rules.variant()))
      if (games.size() < count) add(record);
  } catch (const std::runtime_error&) {
    // Damaged: the finished games are shown.
  }
  for (auto chunk = chunks.rbegin(); chunk != chunks.rend() && games.size() < count; ++chunk) {
    const std::vector<StoredGame> stored = list_games(*chunk, rules.variant());
    for (auto game = stored.rbegin(); game != stored.rend() && games.size() < count; ++game) {
      if (shown.contains(game->number)) continue;
      try {
        add(read_game(*game));
      } catch (const std::runtime_error&) {
        continue;  // damaged
      }
    }
  }
  return wall_reply(std::move(games), table);
}

ReportJson GamePages::wall_of_files(const std::vector<fs::path>& files, std::size_t count) {
  PictureTable table;
  ReportJson shown = ReportJson::array();
  for (auto file = files.rbegin(); file != files.rend() && shown.size() < count; ++file) {
    const auto games = games_of(*file);
    std::ifstream in(*file, std::ios::binary);
    for (std::size_t i = games->games.size(); i-- > 0 && shown.size() < count;) {
      const auto game = game_in(text_at(in, games->games[i].offset, games->games[i].bytes), false);
      if (!game) continue;
      try {
        shown.push_back(game_json(table, *game, name_of(*game, i), title_of(*game, i)));
      } catch (const std::length_error&) {  // of too many kinds of pieces in one table
        return wall_reply(std::move(shown), table);
      }
    }
  }
  return wall_reply(std::move(shown), table);
}

ReportJson GamePages::wall(const ReportJson& request) {
  const fs::path path = lab_->existing(text_field(request, "path"));
  const auto count = static_cast<std::size_t>(number_field(request, "count", 1, kMostOnWall));
  const std::string kind = kind_with_games(path);
  return kind == "run" ? wall_of_run(path, count, optional_text(request, "large"))
                       : wall_of_files(files_of(path, kind), count);
}

}  // namespace faultline::web
