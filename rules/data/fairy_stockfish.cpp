// A game's file in the words of Fairy-Stockfish's variants.ini: its board, castling, ends and
// start.
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/quote.h"
#include "rules/data/fairy_translator.h"
#include "rules/data/words.h"

namespace faultline::data {

namespace {

constexpr int kMostFiles = 12;
constexpr int kMostRanks = 10;

}  // namespace

FairyStockfish Translator::run() {
  board();
  if (refused_.empty()) {
    pieces();
    promotions();
    hands();
    castling();
    rules();
    ends();
    start();
  }
  FairyStockfish result;
  result.refused = std::move(refused_);
  if (result.refused.empty()) {
    result.newer = std::move(newer_);
    result.text = "# " + printable(game_.title, 100) + "\n";
    if (!result.newer.empty())
      result.text +=
          "# Fairy-Stockfish 11.1 does not read: " + joined(result.newer, " and ") + "\n";
    result.text += "[faultline-" + game_.name + "]\n" + text_;
  }
  return result;
}

void Translator::refuse(const std::string& key, const std::string& why) {
  const std::string refusal = key + ": " + why;
  if (std::ranges::find(refused_, refusal) == refused_.end()) refused_.push_back(refusal);
}

void Translator::needs(const std::string& what) {
  if (std::ranges::find(newer_, what) == newer_.end()) newer_.push_back(what);
}

void Translator::say(std::string_view key, const std::string& value) {
  text_ += std::string(key) + " = " + value + "\n";
}

std::string Translator::letter(TypeIndex type) const {
  const auto found = letters_.find(type);
  return found == letters_.end() ? in_small_letters(piece(type).letter) : found->second;
}

std::string Translator::letters(TypeSet types) const {
  std::string text;
  for (std::size_t t = 0; t < game_.pieces.size(); ++t)
    if ((types >> t & 1U) != 0) text += letter(static_cast<TypeIndex>(t));
  return text;
}

int Translator::count(TypeIndex type, Colour colour) const {
  return static_cast<int>(std::ranges::count_if(game_.starts[0].pieces, [&](const Placed& p) {
    return p.type == type && p.colour == colour;
  }));
}

SquareSet Translator::rank(int number) const {
  SquareSet squares;
  for (int file = 0; file < zones_.columns(); ++file)
    squares.set(zones_.at({.row = number - 1, .column = file}));
  return squares;
}

std::string Translator::region(const SquareSet& zone) const {
  std::string text;
  for (int r = 1; r <= zones_.rows(); ++r) {
    const SquareSet whole = rank(r);
    if ((zone & whole) == whole) {
      text += " *" + std::to_string(r);
      continue;
    }
    for (int file = 0; file < zones_.columns(); ++file)
      if (const Square s = zones_.at({.row = r - 1, .column = file}); zone[s])
        text += " " + zones_.name(s);
  }
  return text.empty() ? "-" : text.substr(1);
}

int Translator::first_rank(const SquareSet& zone, bool to_the_last) const {
  for (int r = 1; r <= zones_.rows(); ++r) {
    if ((zone & rank(r)).none()) continue;
    SquareSet ranks = rank(r);
    for (int more = r + 1; to_the_last && more <= zones_.rows(); ++more)
      ranks |= rank(more);
    return zone == ranks ? r : 0;
  }
  return 0;
}

void Translator::board() {
  const Board& board = game_.board;
  if (!board.belts.empty()) refuse("board.belt", "its boards do not move");
  if (!board.parts.empty()) refuse("board.part", "its boards do not move");
  if (board.sectors) refuse("board.sectors", "its boards do not move");
  if (board.levels.count > 1) refuse("board.levels", "its boards have one level");
  if (board.wraps_files || board.wraps_ranks) refuse("board.wrap", "its boards have edges");
  if (!board.links.empty()) refuse("board.links", "its squares border on their neighbours");
  if (!board.cuts.empty()) refuse("board.cuts", "its squares border on their neighbours");
  const std::string rectangle = "its boards are full rectangles with squares from a1 on";
  for (std::size_t row = 0; row < board.rows.size(); ++row)
    for (const Cell& cell : board.rows[row])
      if (cell.kind != CellKind::Square || cell.foot != cell.column ||
          cell.name != static_cast<char>('a' + cell.column) + std::to_string(row + 1))
        refuse("board", rectangle);
  if (zones_.columns() > kMostFiles || zones_.rows() > kMostRanks)
    refuse("board", "its boards have at most 12 files and 10 ranks");
  say("maxFile", std::to_string(zones_.columns()));
  say("maxRank", std::to_string(zones_.rows()));
}

TypeIndex Translator::type_on(Square square) const {
  const auto found = std::ranges::find(game_.starts[0].pieces, square, &Placed::square);
  return found == game_.starts[0].pieces.end() ? kNoType : found->type;
}

void Translator::castling() {
  const Start& start = game_.starts[0];
  say("castling", !start.castles.empty());
  if (start.castles.empty()) return;
  const std::string key = "pieces." + piece(start.castles[0].king_type).letter + ".castle";
  const TypeIndex rook_type = type_on(start.castles[0].rook);
  bool chess960 = game_.starts.size() > 1;
  std::array<int, 2> files = {-1, -1};  // of the king, to the left and to the right
  int row = -1;
  for (const Castle& castle : start.castles) {
    if (castle.ways.size() != 1 || castle.king_type != king_ || type_on(castle.rook) != rook_type) {
      refuse(key, "its king castles with a rook, and to one square on each side");
      return;
    }
    const Castle::Way& way = castle.ways[0];
    const Zones::Place king = zones_.place(castle.king);
    const Zones::Place rook = zones_.place(castle.rook);
    const Zones::Place king_to = zones_.place(way.king_to);
    const bool right = rook.column > king.column;
    const int from_own_side =
        castle.colour == Colour::White ? king.row : zones_.rows() - 1 - king.row;
    int& file = files[right ? 1 : 0];
    const bool outermost = std::ranges::none_of(start.pieces, [&](const Placed& placed) {
      const Zones::Place other = zones_.place(placed.square);
      return placed.type == rook_type && placed.colour == castle.colour && other.row == rook.row &&
             (right ? other.column > rook.column : other.column < rook.column);
    });
    if (king_to.row != king.row || rook.row != king.row ||
        zones_.place(way.rook_to).column != king_to.column + (right ? -1 : 1) || !outermost ||
        (file >= 0 && file != king_to.column) || (row >= 0 && row != from_own_side)) {
      refuse(key,
             "its kings castle on one rank with the outermost rooks, which land beside them, "
             "White's as Black's");
      return;
    }
    file = king_to.column;
    row = from_own_side;
    if (king_to.column - king.column < 2 && king.column - king_to.column < 2) chess960 = true;
  }
  if (chess960) say("chess960", true);
  say("castlingRank", std::to_string(row + 1));
  if (files[1] >= 0) say("castlingKingsideFile", std::string(1, static_cast<char>('a' + files[1])));
  if (files[0] >= 0)
    say("castlingQueensideFile", std::string(1, static_cast<char>('a' + files[0])));
  say("castlingRookPieces", letter(rook_type));
  say("castlingRookPiece", letter(rook_type));
}

void Translator::rules() {
  if (const auto& explode = game_.rules.explode) {
    if (letters(explode->spares & all_types()) != letter_of("pawn"))
      refuse("rules.explode", "what it spares are pawns");
    if (king_ == kNoType) refuse("rules.explode", "a king explodes");
    needs("explosions");
    say("blastOnCapture", true);
  }
  if (game_.rules.checks == ChecksForbidden::UnlessMate)
    refuse("rules.checks_forbidden", "checks are allowed or not, whether they mate or not");
  if (game_.rules.checks == ChecksForbidden::Yes && has_regions_)
    refuse("rules.checks_forbidden", "its pieces check also where they may not go: onto");
  say("checking", game_.rules.checks == ChecksForbidden::No);
  say("mustCapture", game_.rules.capture_forced);
}

std::string Translator::value(Result result) {
  return result == Result::Draw ? "draw" : result == Result::Win ? "win" : "loss";
}

void Translator::ends() {
  const Ends& ends = game_.ends;
  const auto& [white, black] = ends.sides;
  const std::string alike = "White's and Black's are the same";
  if (white.checkmate != black.checkmate) refuse("ends.checkmate", alike);
  if (white.stalemate != black.stalemate) refuse("ends.stalemate", alike);
  if (white.checks != black.checks) refuse("ends.checks", alike);
  say("checkmateValue", value(white.checkmate));
  say("stalemateValue", value(white.stalemate));
  if (white.checks > 0) say("checkCounting", true);
  extinctions();
  flags();
  if (ends.plies && (ends.plies->result != Result::Draw || ends.plies->count % 2 != 0))
    refuse("ends.plies", "it is a draw after whole moves of both sides");
  say("nMoveRule", std::to_string(ends.plies ? ends.plies->count / 2 : 0));
  say("nFoldRule", std::to_string(ends.repetition ? ends.repetition->count : 0));
  if (ends.repetition) say("nFoldValue", value(ends.repetition->result));
}

bool Translator::keeps_a_royal(int side) const {
  return std::ranges::any_of(game_.starts[0].pieces, [&](const Placed& placed) {
    return index(placed.colour) == side && placed.type == king_;
  });
}

void Translator::extinctions() {
  const auto& [white, black] = game_.ends.sides;
  const SideEnds& one = white.extinct.empty() ? black : white;
  const SideEnds& other = white.extinct.empty() ? white : black;
  const bool has_bare = white.bare_king || black.bare_king;
  if (game_.rules.explode && (has_bare || !white.extinct.empty() || !black.extinct.empty()))
    refuse("ends", "where kings explode there is no other extinction");
  if (!one.extinct.empty()) {
    const Extinct& extinct = one.extinct[0];
    const bool all = (extinct.types & all_types()) == all_types();
    if (game_.hands) refuse("ends.extinct", "what is in a hand is not gone");
    const bool never_for_other = all && extinct.all && keeps_a_royal(&other == &white ? 0 : 1);
    const bool same = other.extinct.size() == 1 && other.extinct[0].types == extinct.types &&
                      other.extinct[0].all == extinct.all &&
                      other.extinct[0].result == extinct.result;
    if (one.extinct.size() > 1 || has_bare ||
        !(same || (other.extinct.empty() && never_for_other)) ||
        (extinct.all && !all && std::popcount(extinct.types & all_types()) > 1))
      refuse("ends.extinct", "it has one, for both sides: of any of some types, or of all pieces");
    say("extinctionValue", value(extinct.result));
    say("extinctionPieceTypes", extinct.all && all ? "*" : letters(extinct.types));
  }
  if (!has_bare) return;
  if (!white.bare_king || !black.bare_king || white.bare_king->reply != black.bare_king->reply ||
      white.bare_king->result != black.bare_king->result)
    refuse("ends.bare_king", "it is the same for both sides");
  const BareKing& bare = white.bare_king ? *white.bare_king : *black.bare_king;
  say("extinctionValue", value(bare.result));
  say("extinctionClaim", bare.reply);
  say("extinctionPieceTypes", std::string("*"));
  say("extinctionPieceCount", std::string("1"));
  say("extinctionOpponentPieceCount", std::string("2"));
}

void Translator::flags() {
  const auto& [white, black] = game_.ends.sides;
  if (white.reach.empty() && black.reach.empty()) return;
  const std::string key = "ends.reach";
  if (white.reach.size() > 1 || black.reach.size() > 1)
    refuse(key, "a side has one kind of piece and one zone");
  const Reach* const first = white.reach.empty() ? nullptr : white.reach.data();
  const Reach* const second = black.reach.empty() ? nullptr : black.reach.data();
  const TypeSet types = (first != nullptr ? *first : *second).types & all_types();
  for (const Reach* reach : {first, second}) {
    if (reach == nullptr) continue;
    if (reach->result != Result::Win) refuse(key, "who gets there wins");
    if ((reach->types & all_types()) != types ||
        (types != all_types() && std::popcount(types) != 1))
      refuse(key, "both sides have the same kind of piece");
  }
  const bool white_waits = first != nullptr && first->reply;
  if (second != nullptr && second->reply) refuse(key + ".reply", "only Black can reply");
  if (types != all_types()) say("flagPiece", letters(types));
  for (const char* name : {"whiteFlag", "flagRegionWhite"})
    say(name, first != nullptr ? region(first->zone) : "-");
  for (const char* name : {"blackFlag", "flagRegionBlack"})
    say(name, second != nullptr ? region(second->zone) : "-");
  say("flagMove", white_waits);
}

void Translator::start() {
  std::string fen = game_.starts[0].fen;
  if (const int checks = game_.ends.sides[0].checks; checks > 0) {
    std::size_t at = 0;  // after four fields
    for (int field = 0; field < 4 && at != std::string::npos; ++field)
      at = fen.find(' ', at + 1);
    const std::string left = std::to_string(checks);
    if (at != std::string::npos) fen.insert(at, " " + left + "+" + left);
  }
  say("startFen", fen);
  for (std::size_t other = 1; other < game_.starts.size(); ++other)
    text_ += "# or from: " + game_.starts[other].fen + "\n";
  if (game_.ends.most_plies > 0)
    text_ += "# without the end after " + std::to_string(game_.ends.most_plies) + " plies\n";
}

FairyStockfish to_fairy_stockfish(const GameFile& game) {
  return Translator(game).run();
}

}  // namespace faultline::data
