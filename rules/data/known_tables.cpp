// The language of games' files: its tables, their keys, and what each may be.
#include "rules/data/known_tables.h"

#include <algorithm>
#include <utility>

#include "rules/data/words.h"

namespace faultline::data {
namespace {

Allowed text(const char* what = "a text") {
  return {.what = what, .text = true};
}
Allowed zone() {
  return text("a zone");
}
Allowed truth() {
  return {.what = "true or false", .truth = true};
}
std::string range_text(Interval allowed) {
  return ", " + std::to_string(allowed.low) + " to " + std::to_string(allowed.high);
}
Allowed whole(int low, int high) {
  const Interval allowed{.low = low, .high = high};
  return {.what = "a whole number" + range_text(allowed), .whole = allowed};
}
Allowed pair(int low, int high, const std::string& of) {
  const Interval allowed{.low = low, .high = high};
  return {.what = "two numbers, " + of + range_text(allowed), .pair = allowed};
}
/// `more` follows the choices in what it says.
Allowed choice(const std::vector<std::string_view>& choices, const std::string& more = "") {
  std::vector<std::string> quoted;
  for (const std::string_view one : choices)
    quoted.push_back('"' + std::string(one) + '"');
  return {.what = joined(quoted) + more, .choices = choices};
}
Allowed result(const std::string& of = "") {
  return choice({"draw", "win", "loss"}, of.empty() ? "" : " for the side that " + of);
}
Allowed table(std::string_view path) {
  return {.what = "a table", .table = path};
}
Allowed operator|(Allowed one, const Allowed& other) {
  one.what += ", or " + other.what;
  one.text = one.text || other.text;
  if (other.whole) one.whole = other.whole;
  if (!other.choices.empty()) one.choices = other.choices;
  if (!other.table.empty()) one.table = other.table;
  return one;
}
Allowed or_list(Allowed allowed) {
  allowed.lists = Allowed::Lists::Too;
  return allowed;
}
Allowed list(Allowed allowed, const char* what) {
  allowed.what = what;
  allowed.lists = Allowed::Lists::Only;
  return allowed;
}
Allowed letters() {
  return or_list(text("letters of pieces"));
}
/// What is wrong with others, their reader says.
Allowed any_text(Allowed allowed) {
  allowed.text = true;
  return allowed;
}

struct Refused {
  std::string_view path;
  std::string_view key;
  std::string_view reason;
};
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
    {"board.levels", "lost", "is true or false: lost = true"},
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

constexpr Given kOnce = Given::Once;
constexpr Given kAlways = Given::Always;

/// The keys of a table that says when and by whom something is moved.
std::vector<KnownKey> controlled(std::vector<KnownKey> keys, const Allowed& when,
                                 std::string_view example) {
  keys.insert(keys.end(), {{"when", when, example},
                           {"who", choice({"any", "own", "majority"}), "who = \"majority\""},
                           {"uses", whole(0, 1000), "uses = 3"},
                           {"pause", whole(0, 1000), "pause = 12"},
                           {"undo", truth(), "undo = false"}});
  return keys;
}

std::vector<KnownTable> make_tables() {
  const Allowed instead =
      choice({"instead"}, "; movements as a second part of a turn are reserved");
  const Allowed when =
      text("\"left\", \"entered\", \"left or entered\", \"instead\", \"after\" or \"every N\"");
  constexpr std::string_view kInstead = "when = \"instead\"";
  const Allowed anything{.what = "1", .anything = true};
  const Allowed feet{.what = "a list of numbers, one a cell", .numbers = true};
  return {
      {"",
       {{"format", anything, "format = 1"},
        {"name", text("of small letters, digits and -"), "name = \"my-game\""},
        {"title", text(), "title = \"My Game\""},
        {"inventor", text(), "inventor = \"A. Person\""},
        {"year", text("a text") | whole(-9999, 9999), "year = 1925"},
        {"source", text(), "source = \"https://example.org/rules\""},
        {"summary", text(), "summary = \"Chess with an archbishop.\""},
        {"base", text("the name of another game, or a list of names"), "base = \"chess\""},
        {"board", table("board"), "[board]"},
        {"pieces", table("pieces"), "[pieces]"},
        {"hands", table("hands"), "[hands]"},
        {"rules", table("rules"), "[rules]"},
        {"start", table("start"), "[start]"},
        {"ends", table("ends"), "[ends]"}}},
      {"board",
       {{"files", whole(1, 26), "files = 8"},
        {"ranks", whole(1, 99), "ranks = 8"},
        {"rows",
         list(text() | table("board.rows"), "a list of rows from the top, each a text or a table"),
         "rows = [ \"a2 b2\", \"a1 b1\" ]"},
        {"void", zone(), "void = \"d4-e5\""},
        {"barrier", zone(), "barrier = \"d4, e5\""},
        {"wrap", choice({"files", "ranks", "both"}), "wrap = \"files\""},
        {"riders", choice({"stop at void", "fly over void"}), "riders = \"fly over void\""},
        {"leaps", choice({"over void", "not over void"}), "leaps = \"not over void\""},
        {"mirror", choice({"flip", "turn"}), "mirror = \"turn\""},
        {"links", list(table("board.links"), "a list of links"),
         "links = [ { from = \"a8\", way = \"n\", to = \"a1\" } ]"},
        {"cuts", list(table("board.links"), "a list of links"),
         "cuts = [ { from = \"d4\", way = \"n\", to = \"d5\" } ]"},
        {"belt", list(table("board.belt"), "one table a belt"), "[[board.belt]]"},
        {"part", list(table("board.part"), "one table a part"), "[[board.part]]"},
        {"sectors", table("board.sectors"), "[board.sectors]"},
        {"levels", table("board.levels"), "[board.levels]"}}},
      {"board.rows",
       {{"cells", text("a row of cells"), "cells = \"ab4 bc4 # d4\"", kAlways},
        {"foot", feet, "foot = [ 0.5, 1.5, 2.5, 3 ]"}},
       "a row"},
      {"board.links",
       {{"from", text("a square"), "from = \"a8\"", kAlways},
        {"way", choice({"n", "ne", "e", "se", "s", "sw", "w", "nw"}), "way = \"n\"", kAlways},
        {"to", text("a square"), "to = \"a1\"", kAlways}},
       "a link"},
      {"board.belt",
       controlled({{"name", text(), "name = \"north\""},
                   {"squares", text("squares in carrying order"), "squares = \"a1 a2 a3 a4\""},
                   {"quarter", text("a square zone, turned by a quarter, clockwise"),
                    "quarter = \"a1-d4\""},
                   {"steps", whole(1, 100), "steps = 1"},
                   {"ways", choice({"forward", "both"}), "ways = \"both\""}},
                  when, "when = \"left\""),
       "a belt"},
      {"board.part",
       {{"name", text(), "name = \"lower\""},
        {"squares", zone(), "squares = \"a1-h4\"", kAlways},
        {"at", pair(-99, 99, "files and ranks"), "at = [ 1, 0 ]"},
        {"shift", table("board.part.shift"), "shift = { files = [ -1, 1 ] }"}},
       "a part"},
      {"board.part.shift",
       controlled({{"files", pair(-99, 99, "from and to"), "files = [ -1, 1 ]"},
                   {"ranks", pair(-99, 99, "from and to"), "ranks = [ -1, 1 ]"},
                   {"within", pair(-99, 99, "from and to"), "within = [ -7, 7 ]"},
                   {"within_ranks", pair(-99, 99, "from and to"), "within_ranks = [ 0, 4 ]"}},
                  instead, kInstead)},
      {"board.sectors",
       {{"size", pair(1, 99, "files and ranks"), "size = [ 2, 2 ]", kAlways},
        {"gaps", text("areas"), "gaps = \"BII BIII\""},
        {"slide", table("board.sectors.slide"), "slide = { who = \"majority\", far = 2 }"}}},
      {"board.sectors.slide",
       controlled({{"far", whole(1, 26), "far = 2"}, {"push", whole(1, 26), "push = 3"}}, instead,
                  kInstead)},
      {"board.levels",
       {{"count", whole(1, 6), "count = 2", kAlways},
        {"hole", zone(), "hole = \"c3-f6\""},
        {"below", pair(1, 99, "files and ranks") | choice({"all"}), "below = [ 2, 2 ]"},
        {"descend", table("board.levels.descend"), "descend = { who = \"QRBNP\" }"},
        {"lost", truth(), "lost = true"}}},
      {"board.levels.descend",
       {{"who", letters(), "who = \"QRBNP\"", kAlways}, {"same", letters(), "same = \"QRBNP\""}}},
      {"pieces",
       {},
       "",
       KnownKey{"P", or_list(text("a text (its moves)") | table("pieces.P")),
                "P = { moves = \"N\" }"}},
      {"pieces.P",
       {{"moves", or_list(text("Betza or names (moves = \"N\")") | table("pieces.P.moves")),
         "moves = [ { moves = \"W\", onto = \"d1-f3\" } ]"},
        {"name", text(), "name = \"archbishop\"", kOnce},
        {"drawing", text("the name of a picture"), "drawing = \"bishop\"", kOnce},
        {"royal", truth() | choice({"one safe"}), "royal = true"},
        {"pawn", truth(), "pawn = true", kOnce},
        {"initial", zone(), "initial = \"rank 2\""},
        {"crosses", choice({"barriers sideways"}), "crosses = \"barriers sideways\"", kOnce},
        {"promotes", any_text(or_list(table("pieces.P.promotes"))),
         "promotes = { on = \"rank 8\", to = \"Q\" }"},
        {"castle", list(table("pieces.P.castle"), "a list of tables"),
         "castle = [ { king = \"g1\", rook = \"h1\" } ]"},
        {"white", table("pieces.P"), "white = { moves = \"N\" }", kOnce},
        {"black", table("pieces.P"), "black = { moves = \"N\" }", kOnce}}},
      {"pieces.P.moves",
       {{"moves", text("Betza or names"), "moves = \"W\"", kAlways},
        {"from", zone(), "{ moves = \"sW\", from = \"a6-i10\" }"},
        {"onto", zone(), "{ moves = \"W\", onto = \"d1-f3\" }"},
        {"takes", or_list(text("letters of pieces, or \"not\" and letters")),
         "{ moves = \"R\", takes = \"K\" }"}},
       "an entry of moves"},
      {"pieces.P.promotes",
       {{"on", zone(), "on = \"rank 8\"", kAlways},
        {"to", letters(), "to = \"QRBN\"", kAlways},
        {"must", zone(), "must = \"rank 10\""},
        {"leaving", truth(), "leaving = true"},
        {"stock", choice({"captured"}), "stock = \"captured\""},
        {"carried", text("the letter of a piece"), "carried = \"Q\""}},
       "promotes"},
      {"pieces.P.castle",
       {{"king", text("a zone: where the king may land"), "king = \"g1\"", kAlways},
        {"rook", text("a square, \"left\" or \"right\""), "rook = \"h1\"", kAlways}},
       "castle"},
      {"hands",
       {{"captured", choice({"to hand", "gone"}), "captured = \"to hand\""},
        {"as", table("hands.as"), "as = { \"+Q\" = \"P\" }"}},
       "",
       KnownKey{"P", table("hands.P"), "P = { onto = \"a1-i8\" }"}},
      {"hands.P",
       {{"onto", zone(), "onto = \"a1-i8\""},
        {"a_file", whole(1, 99), "a_file = 1", kOnce},
        {"mate", truth(), "mate = false", kOnce},
        {"white", table("hands.P"), "white = { onto = \"a1-i8\" }", kOnce},
        {"black", table("hands.P"), "black = { onto = \"a2-i9\" }", kOnce}}},
      {"hands.as", {}, "", KnownKey{"P", text("the letter of a piece"), "\"+Q\" = \"P\""}},
      {"rules",
       {{"capture_forced", truth(), "capture_forced = true"},
        {"checks_forbidden", truth() | choice({"unless mate"}), "checks_forbidden = true"},
        {"explode", table("rules.explode"), "explode = { spares = \"P\" }"}}},
      {"rules.explode", {{"spares", letters(), "spares = \"P\""}}},
      {"start",
       {{"fen", or_list(text("a FEN, or a list of FENs")),
         "fen = \"k7/8/8/8/8/8/8/K7 w - - 0 1\""}}},
      {"ends",
       {{"checkmate", any_text(result("is mated")), "checkmate = \"loss\""},
        {"stalemate", any_text(result("cannot move")), "stalemate = \"draw\""},
        {"bare_king", table("ends.bare_king") | result("has only royal pieces"),
         "bare_king = \"loss\""},
        {"reach", or_list(table("ends.reach")), "reach = { piece = \"K\", zone = \"d4-e5\" }"},
        {"checks", whole(0, 99), "checks = 3"},
        {"extinct", or_list(table("ends.extinct")), "extinct = { all = \"*\", result = \"loss\" }"},
        {"only_royals", choice({"draw", "go on"}), "only_royals = \"draw\"", kOnce},
        {"plies", table("ends.plies") | whole(1, 100000),
         "plies = { count = 100, result = \"draw\" }", kOnce},
        {"repetition", table("ends.repetition") | whole(2, 100),
         "repetition = { times = 3, result = \"draw\" }", kOnce},
        {"most_plies", whole(1, 100000), "most_plies = 600", kOnce},
        {"white", table("ends"), "white = { stalemate = \"loss\" }", kOnce},
        {"black", table("ends"), "black = { stalemate = \"loss\" }", kOnce}}},
      {"ends.bare_king",
       {{"result", result(), "result = \"loss\""}, {"reply", truth(), "reply = true"}}},
      {"ends.reach",
       {{"piece", letters(), "piece = \"K\"", kAlways},
        {"zone", zone(), "zone = \"d4-e5\"", kAlways},
        {"reply", truth(), "reply = true"},
        {"result", result(), "result = \"win\""}},
       "reach"},
      {"ends.extinct",
       {{"any", letters(), "any = \"QRBNPK\""},
        {"all", letters(), "all = \"*\""},
        {"result", result(), "result = \"loss\""}}},
      {"ends.plies",
       {{"count", whole(1, 100000), "count = 100", kAlways},
        {"result", result("is to move"), "result = \"draw\""}}},
      {"ends.repetition",
       {{"times", whole(2, 100), "times = 3", kAlways},
        {"result", result("is to move"), "result = \"draw\""}}},
  };
}

}  // namespace

const KnownKey* KnownTable::find(std::string_view key) const {
  const auto found = std::ranges::find(keys, key, &KnownKey::name);
  if (found != keys.end()) return &*found;
  return letters && is_piece_letter(key) ? &*letters : nullptr;
}

const std::vector<KnownTable>& known_tables() {
  static const std::vector<KnownTable> tables = make_tables();
  return tables;
}

const KnownTable& known_table(std::string_view path) {
  return *std::ranges::find(known_tables(), path, &KnownTable::path);
}

std::string_view why_refused(std::string_view path, std::string_view key) {
  const auto* const found = std::ranges::find_if(
      kRefused, [&](const Refused& one) { return one.path == path && one.key == key; });
  return found == std::end(kRefused) ? "" : found->reason;
}

bool is_piece_letter(std::string_view key) {
  if (key.starts_with('+')) key.remove_prefix(1);
  return key.size() == 1 && is_capital(key[0]);
}

}  // namespace faultline::data
