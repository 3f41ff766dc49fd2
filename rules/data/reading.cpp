// What the readers of a game's file share: findings, and values of the types that keys allow.
#include "rules/data/reading.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "base/nearest_name.h"
#include "base/quote.h"

namespace faultline::data {
namespace {

struct Refused {
  std::string_view path;
  std::string_view key;
  std::string_view reason;
};
/// What other notations, or drafts of this one, have, and what to write; and what is reserved.
constexpr Refused kRefused[] = {
    {"", "turn", "is reserved: turns of several parts are not part of the language yet"},
    {"", "symmetry", "is not needed: symmetries are found, not declared"},
    {"board", "geometry", "is reserved: boards of hexagons are not part of the language"},
    {"board", "landing", "is reserved"},
    {"board", "pull", "is reserved"},
    {"board", "belts", "is written as one table a belt: [[board.belt]]"},
    {"board", "parts", "is written as one table a part: [[board.part]]"},
    {"board", "holes", "is called void"},
    {"board", "walls", "is called barrier"},
    {"board.belt", "end", "is reserved: every belt leads back to its first square"},
    {"board.belt", "advance", "is called when: when = \"left\""},
    {"board.sectors.slide", "areas", "is called far: far = 2"},
    {"board.levels.descend", "colour", "is called same, with letters: same = \"QRBNP\""},
    {"pieces.P", "unmoved", "is reserved: initial = \"rank 2\" asks the square, not the history"},
    {"pieces.P", "stays", "is said of moves: moves = [ { moves = \"W\", onto = \"d1-f3\" } ]"},
    {"pieces.P", "over", "is called crosses: crosses = \"barriers sideways\""},
    {"pieces.P", "carried",
     "belongs into promotes: promotes = { on = \"rank 8\", to = \"QRBN\", "
     "carried = \"Q\" }"},
    {"pieces.P", "count_as", "is said in [hands]: as = { \"+R\" = \"R\" }"},
    {"pieces.P", "betza", "is called moves: moves = \"N\""},
    {"pieces.P.promotes", "from", "is called stock: stock = \"captured\""},
    {"pieces.P.promotes", "optional", "is said with must = \"nowhere\""},
    {"pieces.P.moves", "hops", "is reserved: p (cannon) and g (grasshopper) are the hoppers"},
    {"pieces.P.moves", "stays", "is called onto: onto = \"d1-f3\""},
    {"pieces.P.moves", "to", "is called onto: onto = \"d1-f3\""},
    {"rules", "pass", "is reserved"},
    {"rules", "leave_area", "is reserved"},
    {"start", "first", "is said by the FEN: its second field is w or b"},
    {"start", "army", "is said by the FEN: it has both sides' pieces"},
    {"ends", "capture_forced", "belongs into [rules]"},
    {"ends", "checks_forbidden", "belongs into [rules]"},
    {"ends", "explode", "belongs into [rules]"},
};

std::string full_name(std::string_view path, std::string_view key) {
  return path.empty() ? std::string(key) : std::string(path) + '.' + std::string(key);
}

const KnownTable* find_table(std::string_view path) {
  const auto found = std::ranges::find(known_tables(), path, &KnownTable::path);
  return found == known_tables().end() ? nullptr : &*found;
}

}  // namespace

const std::vector<KnownTable>& known_tables() {
  static const std::vector<KnownTable> tables = {
      {"",
       {{"format", "1", "format = 1"},
        {"name", "a name in lower case", "name = \"my-game\""},
        {"title", "a text", "title = \"My Game\""},
        {"inventor", "a text", "inventor = \"A. Person\""},
        {"year", "a year or a text", "year = 1925"},
        {"source", "a text", "source = \"https://example.org/rules\""},
        {"summary", "a text", "summary = \"Chess with an archbishop.\""},
        {"base", "the name of another game, or a list of names", "base = \"chess\""},
        {"board", "a table", "[board]"},
        {"pieces", "a table", "[pieces]"},
        {"hands", "a table", "[hands]"},
        {"rules", "a table", "[rules]"},
        {"start", "a table", "[start]"},
        {"ends", "a table", "[ends]"}}},
      {"board",
       {{"files", "a whole number, 1 to 26", "files = 8"},
        {"ranks", "a whole number, 1 to 99", "ranks = 8"},
        {"rows", "a list of rows from the top", "rows = [ \"a2 b2\", \"a1 b1\" ]"},
        {"void", "a zone", "void = \"d4-e5\""},
        {"barrier", "a zone", "barrier = \"d4, e5\""},
        {"wrap", "\"files\", \"ranks\" or \"both\"", "wrap = \"files\""},
        {"riders", "\"stop at void\" or \"fly over void\"", "riders = \"fly over void\""},
        {"leaps", "\"over void\" or \"not over void\"", "leaps = \"not over void\""},
        {"mirror", "\"flip\" or \"turn\"", "mirror = \"turn\""},
        {"links", "a list of links", "links = [ { from = \"a8\", way = \"n\", to = \"a1\" } ]"},
        {"cuts", "a list of links", "cuts = [ { from = \"d4\", way = \"n\", to = \"d5\" } ]"},
        {"belt", "a list of tables", "[[board.belt]]"},
        {"part", "a list of tables", "[[board.part]]"},
        {"sectors", "a table", "[board.sectors]"},
        {"levels", "a table", "[board.levels]"}}},
      {"board.rows",
       {{"cells", "a row of cells", "cells = \"ab4 bc4 # d4\""},
        {"foot", "a list of numbers, one a cell", "foot = [ 0.5, 1.5, 2.5, 3 ]"}}},
      {"board.links",
       {{"from", "a square", "from = \"a8\""},
        {"way", "one of n ne e se s sw w nw", "way = \"n\""},
        {"to", "a square", "to = \"a1\""}}},
      {"board.belt",
       {{"name", "a text", "name = \"north\""},
        {"squares", "squares in carrying order", "squares = \"a1 a2 a3 a4\""},
        {"quarter", "a square zone, turned by a quarter, clockwise", "quarter = \"a1-d4\""},
        {"steps", "a whole number, 1 to 100", "steps = 1"},
        {"ways", "\"forward\" or \"both\"", "ways = \"both\""},
        {"when",
         "\"left\", \"entered\", \"left or entered\", \"instead\", \"after\" or \"every N\"",
         "when = \"left\""},
        {"who", "\"any\", \"own\" or \"majority\"", "who = \"majority\""},
        {"uses", "a whole number, 0 to 1000", "uses = 3"},
        {"pause", "a whole number, 0 to 1000", "pause = 12"},
        {"undo", "true or false", "undo = false"}}},
      {"board.part",
       {{"name", "a text", "name = \"lower\""},
        {"squares", "a zone", "squares = \"a1-h4\""},
        {"at", "two numbers: files and ranks", "at = [ 1, 0 ]"},
        {"shift", "a table", "shift = { files = [ -1, 1 ] }"}}},
      {"board.part.shift",
       {{"files", "two numbers, from and to", "files = [ -1, 1 ]"},
        {"ranks", "two numbers, from and to", "ranks = [ -1, 1 ]"},
        {"within", "two numbers, from and to", "within = [ -7, 7 ]"},
        {"within_ranks", "two numbers, from and to", "within_ranks = [ 0, 4 ]"},
        {"when", "\"instead\"", "when = \"instead\""},
        {"who", "\"any\", \"own\" or \"majority\"", "who = \"majority\""},
        {"uses", "a whole number, 0 to 1000", "uses = 3"},
        {"pause", "a whole number, 0 to 1000", "pause = 12"},
        {"undo", "true or false", "undo = false"}}},
      {"board.sectors",
       {{"size", "two numbers: files and ranks", "size = [ 2, 2 ]"},
        {"gaps", "areas", "gaps = \"BII BIII\""},
        {"slide", "a table", "slide = { who = \"majority\", far = 2 }"}}},
      {"board.sectors.slide",
       {{"far", "a whole number, 1 to 26", "far = 2"},
        {"push", "a whole number, 1 to 26", "push = 3"},
        {"when", "\"instead\"", "when = \"instead\""},
        {"who", "\"any\", \"own\" or \"majority\"", "who = \"majority\""},
        {"uses", "a whole number, 0 to 1000", "uses = 3"},
        {"pause", "a whole number, 0 to 1000", "pause = 12"},
        {"undo", "true or false", "undo = false"}}},
      {"board.levels",
       {{"count", "a whole number, 1 to 6", "count = 2"},
        {"hole", "a zone", "hole = \"c3-f6\""},
        {"below", "two numbers, files and ranks, or \"all\"", "below = [ 2, 2 ]"},
        {"descend", "a table", "descend = { who = \"QRBNP\" }"},
        {"lost", "true or false", "lost = true"}}},
      {"board.levels.descend",
       {{"who", "letters of pieces", "who = \"QRBNP\""},
        {"same", "letters of pieces", "same = \"QRBNP\""}}},
      {"pieces.P",
       {{"moves", "Betza or names, or a list of them", "moves = \"bishop + knight\""},
        {"name", "a text", "name = \"archbishop\""},
        {"drawing", "the name of a picture", "drawing = \"bishop\""},
        {"royal", "true, false or \"one safe\"", "royal = true"},
        {"pawn", "true or false", "pawn = true"},
        {"initial", "a zone", "initial = \"rank 2\""},
        {"crosses", "\"barriers sideways\"", "crosses = \"barriers sideways\""},
        {"promotes", "a table", "promotes = { on = \"rank 8\", to = \"Q\" }"},
        {"castle", "a list of tables", "castle = [ { king = \"g1\", rook = \"h1\" } ]"},
        {"white", "a table", "white = { moves = \"N\" }"},
        {"black", "a table", "black = { moves = \"N\" }"}}},
      {"pieces.P.moves",
       {{"moves", "Betza or names", "{ moves = \"W\" }"},
        {"from", "a zone", "{ moves = \"sW\", from = \"a6-i10\" }"},
        {"onto", "a zone", "{ moves = \"W\", onto = \"d1-f3\" }"},
        {"takes", "letters of pieces, or \"not\" and letters",
         "{ moves = \"R\", takes = \"K\" }"}}},
      {"pieces.P.promotes",
       {{"on", "a zone", "on = \"rank 8\""},
        {"to", "letters of pieces", "to = \"QRBN\""},
        {"must", "a zone", "must = \"rank 10\""},
        {"leaving", "true or false", "leaving = true"},
        {"stock", "\"captured\"", "stock = \"captured\""},
        {"carried", "the letter of a piece", "carried = \"Q\""}}},
      {"pieces.P.castle",
       {{"king", "a zone: where the king may land", "king = \"g1\""},
        {"rook", "a square, \"left\" or \"right\"", "rook = \"h1\""}}},
      {"hands",
       {{"captured", "\"to hand\" or \"gone\"", "captured = \"to hand\""},
        {"as", "a table of letters", "as = { \"+Q\" = \"P\" }"}}},
      {"hands.P",
       {{"onto", "a zone", "onto = \"a1-i8\""},
        {"a_file", "a whole number, 1 to 99", "a_file = 1"},
        {"mate", "true or false", "mate = false"},
        {"white", "a table", "white = { onto = \"a1-i8\" }"},
        {"black", "a table", "black = { onto = \"a2-i9\" }"}}},
      {"rules",
       {{"capture_forced", "true or false", "capture_forced = true"},
        {"checks_forbidden", "true, false or \"unless mate\"", "checks_forbidden = true"},
        {"explode", "a table", "explode = { spares = \"P\" }"}}},
      {"rules.explode", {{"spares", "letters of pieces", "spares = \"P\""}}},
      {"start", {{"fen", "a FEN, or a list of FENs", "fen = \"k7/8/8/8/8/8/8/K7 w - - 0 1\""}}},
      {"ends",
       {{"checkmate", "\"draw\", \"win\" or \"loss\" for the side that is mated",
         "checkmate = \"loss\""},
        {"stalemate", "\"draw\", \"win\" or \"loss\" for the side that cannot move",
         "stalemate = \"draw\""},
        {"bare_king", "\"draw\", \"win\" or \"loss\" for the side that has only royal pieces",
         "bare_king = \"loss\""},
        {"reach", "a table", "reach = { piece = \"K\", zone = \"d4-e5\" }"},
        {"checks", "a whole number, 0 to 99", "checks = 3"},
        {"extinct", "a table", "extinct = { all = \"*\", result = \"loss\" }"},
        {"only_royals", "\"draw\" or \"go on\"", "only_royals = \"draw\""},
        {"plies", "a table, or a whole number", "plies = { count = 100, result = \"draw\" }"},
        {"repetition", "a table, or a whole number",
         "repetition = { times = 3, result = \"draw\" }"},
        {"most_plies", "a whole number, 1 to 100000", "most_plies = 600"},
        {"white", "a table", "white = { stalemate = \"loss\" }"},
        {"black", "a table", "black = { stalemate = \"loss\" }"}}},
      {"ends.bare_king",
       {{"result", "\"draw\", \"win\" or \"loss\"", "result = \"loss\""},
        {"reply", "true or false", "reply = true"}}},
      {"ends.reach",
       {{"piece", "letters of pieces", "piece = \"K\""},
        {"zone", "a zone", "zone = \"d4-e5\""},
        {"reply", "true or false", "reply = true"},
        {"result", "\"draw\", \"win\" or \"loss\"", "result = \"win\""}}},
      {"ends.extinct",
       {{"any", "letters of pieces", "any = \"QRBNPK\""},
        {"all", "letters of pieces", "all = \"*\""},
        {"result", "\"draw\", \"win\" or \"loss\"", "result = \"loss\""}}},
      {"ends.plies",
       {{"count", "a whole number, 1 to 100000", "count = 100"},
        {"result", "\"draw\", \"win\" or \"loss\" for the side to move", "result = \"draw\""}}},
      {"ends.repetition",
       {{"times", "a whole number, 2 to 100", "times = 3"},
        {"result", "\"draw\", \"win\" or \"loss\" for the side to move", "result = \"draw\""}}},
  };
  return tables;
}

void Findings::error_in(const std::string& file, int line, std::string text) {
  add({.is_error = true, .file = file, .line = line, .text = std::move(text)});
}
void Findings::add(bool is_error, const TomlValue& at, std::string text) {
  add({.is_error = is_error,
       .file = at.file ? *at.file : "",
       .line = at.line,
       .text = std::move(text)});
}
void Findings::add(Finding finding) {
  const auto same = [&](const Finding& other) {
    return other.file == finding.file && other.line == finding.line && other.text == finding.text;
  };
  if (std::ranges::any_of(all_, same)) return;
  if (finding.is_error) ++errors_;
  all_.push_back(std::move(finding));
}
std::vector<Finding> Findings::sorted(const std::string& main) const {
  std::vector<Finding> findings = all_;
  const auto order = [&](const Finding& finding) {
    return std::tuple(finding.file != main, finding.file, finding.line);
  };
  std::ranges::stable_sort(findings, {}, order);
  return findings;
}

bool check_keys(const TomlValue& table, std::string_view path, Findings& findings,
                bool (*also)(std::string_view)) {
  const KnownTable* known = find_table(path);
  bool unknown = false;
  for (const TomlValue& item : table.items) {
    if (std::ranges::find(known->keys, item.key, &KnownKey::name) != known->keys.end() ||
        (also != nullptr && also(item.key)))
      continue;
    unknown = true;
    const bool top = path.empty();
    const std::string name = top && item.is_table() ? "[" + printable(item.key, 40) + "]"
                                                    : quote(full_name(path, item.key), 60);
    const auto* refused = std::ranges::find_if(
        kRefused, [&](const Refused& one) { return one.path == path && one.key == item.key; });
    if (refused != std::end(kRefused)) {
      findings.error(item, name + " " + std::string(refused->reason));
      continue;
    }
    std::vector<std::string> same_kind;
    for (const KnownKey& key : known->keys)
      if (!top || key.example.starts_with('[') == item.is_table()) same_kind.emplace_back(key.name);
    const std::string nearest = nearest_name(item.key, same_kind);
    // The table of the language that has such a key.
    std::string elsewhere;
    for (const KnownTable& other : known_tables())
      if (nearest.empty() &&
          std::ranges::find(other.keys, item.key, &KnownKey::name) != other.keys.end())
        elsewhere +=
            (elsewhere.empty() ? "" : ", ") +
            (other.path.empty() ? "the top of the file" : "[" + std::string(other.path) + "]");
    std::string text =
        "unknown " + std::string(top && item.is_table() ? "table " : "key ") + name + ".";
    if (!nearest.empty())
      text +=
          " Did you mean " + (top && item.is_table() ? "[" + nearest + "]" : quote(nearest)) + "?";
    else if (!elsewhere.empty())
      text += " There is such a key in " + elsewhere + ".";
    text += std::string(top && item.is_table() ? " Tables here: " : " Keys here: ");
    for (std::size_t i = 0; i < same_kind.size(); ++i)
      text += (i == 0 ? "" : ", ") + same_kind[i];
    if (also != nullptr) text += " and letters of pieces";
    findings.error(item, text + ".");
  }
  return unknown;
}

void wrong_value(const TomlValue& value, std::string_view path, Findings& findings) {
  const KnownTable* table = find_table(path);
  const auto key = std::ranges::find(table->keys, value.key, &KnownKey::name);
  if (key == table->keys.end()) {
    findings.error(value, quote(full_name(path, value.key), 60) + " is " + value.shown());
    return;
  }
  const std::string name = full_name(path, value.key);
  findings.error(value, name + " is " + value.shown() + ", but must be " + std::string(key->what) +
                            ": " + std::string(key->example));
}

const TomlValue* table_of(const TomlValue& parent, std::string_view key, std::string_view path,
                          Findings& findings) {
  const TomlValue* value = parent.find(key);
  if (value == nullptr || value->is_table()) return value;
  wrong_value(*value, path, findings);
  return nullptr;
}

std::optional<std::string> text_of(const TomlValue& parent, std::string_view key,
                                   std::string_view path, Findings& findings) {
  const TomlValue* value = parent.find(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_text()) return value->text;
  wrong_value(*value, path, findings);
  return std::nullopt;
}

std::optional<int> whole_of(const TomlValue& parent, std::string_view key, Interval allowed,
                            std::string_view path, Findings& findings) {
  const TomlValue* value = parent.find(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind == TomlValue::Kind::Whole && value->whole >= allowed.low &&
      value->whole <= allowed.high)
    return static_cast<int>(value->whole);
  wrong_value(*value, path, findings);
  return std::nullopt;
}

std::optional<bool> truth_of(const TomlValue& parent, std::string_view key, std::string_view path,
                             Findings& findings) {
  const TomlValue* value = parent.find(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind == TomlValue::Kind::Truth) return value->truth;
  wrong_value(*value, path, findings);
  return std::nullopt;
}

std::optional<Interval> pair_of(const TomlValue& parent, std::string_view key, Interval allowed,
                                std::string_view path, Findings& findings) {
  const TomlValue* value = parent.find(key);
  if (value == nullptr) return std::nullopt;
  const auto fits = [&](const TomlValue& one) {
    return one.kind == TomlValue::Kind::Whole && one.whole >= allowed.low &&
           one.whole <= allowed.high;
  };
  if (value->is_list() && value->items.size() == 2 && std::ranges::all_of(value->items, fits))
    return Interval{static_cast<int>(value->items[0].whole),
                    static_cast<int>(value->items[1].whole)};
  if (value->is_list() && value->items.size() == 2 &&
      std::ranges::all_of(
          value->items, [](const TomlValue& one) { return one.kind == TomlValue::Kind::Whole; })) {
    findings.error(*value, full_name(path, key) + " has numbers from " +
                               std::to_string(allowed.low) + " to " + std::to_string(allowed.high));
    return std::nullopt;
  }
  wrong_value(*value, path, findings);
  return std::nullopt;
}

std::optional<std::size_t> choice_of(const TomlValue& parent, std::string_view key,
                                     std::initializer_list<std::string_view> choices,
                                     std::string_view path, Findings& findings) {
  const TomlValue* value = parent.find(key);
  if (value == nullptr) return std::nullopt;
  if (value->is_text()) {
    const auto* const found = std::ranges::find(choices, std::string_view(value->text));
    if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  }
  wrong_value(*value, path, findings);
  return std::nullopt;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

}  // namespace faultline::data
