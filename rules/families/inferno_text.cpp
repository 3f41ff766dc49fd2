// Inferno Chess (docs/rules.md): its options, and positions, moves and
// what they win as text.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/interned.h"
#include "rules/families/inferno.h"
#include "rules/fen.h"
#include "rules/square_board.h"
#include "rules/square_castling.h"
#include "rules/square_play.h"
#include "rules/square_text.h"

namespace faultline {

namespace {

using enum PieceType;
using namespace square_board_sets;

/// One part per level, plus one if there are more than a position can have; longer texts cost no
/// more than that.
std::vector<std::string_view> split_levels(std::string_view text) {
  std::vector<std::string_view> parts;
  while (parts.size() <= kMaxLevels) {
    const std::size_t end = std::min(text.find('|'), text.size());
    parts.push_back(text.substr(0, end));
    if (end == text.size()) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

std::string level_name(int level) {
  return "level " + std::to_string(level + 1);
}

/// "Q2d1"; a pawn has no letter.
std::string piece_name(PieceType type, int level, Square s) {
  const std::string square =
      InfernoPosition::square_text(static_cast<Square>(level * kLevelSquares + s));
  return type == PieceType::Pawn ? square : piece_letter({type, Colour::White}) + square;
}

std::string list_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

std::string capitalised(Colour c) {
  return c == Colour::White ? "White" : "Black";
}

}  // namespace

std::string InfernoVariant::canonical_name() const {
  std::string text;
  if (levels != 5) text = ":levels=" + std::to_string(levels);
  if (colours_listed) text += (text.empty() ? ":" : ",") + std::string("colours=listed");
  return "inferno" + text;
}

const FamilyInfo& InfernoPosition::info() {
  static const FamilyInfo info = {
      .name = "inferno",
      .inventor = "unknown",
      .summary =
          "Up to six chessboards, each in a hole of the one above: "
          "pieces fall in, and whoever wins a "
          "level rises with the pieces there.",
      .options = {{.name = "levels",
                   .default_value = "5",
                   .allowed = "1 to 6",
                   .help = "number of nested boards; 1 is chess"},
                  {.name = "colours",
                   .default_value = "all",
                   .allowed = "all, listed",
                   .help = "which pieces descend only to squares of the "
                           "colour of the hole's square: all, or those "
                           "that the source lists (bishops, knights and "
                           "pawns, but not rooks and queens)"}},
      .most_plies = 2000};
  return info;
}

VariantDescription InfernoPosition::describe(const Variant& variant) {
  constexpr std::array<const char*, kMaxLevels> kNumbers = {"One",  "Two",  "Three",
                                                            "Four", "Five", "Six"};
  if (variant.levels == 1)
    return {.summary = "One level and no hole: chess, with moves that name the level.",
            .rulings = {},
            .move_examples = "1g1-1f3, 1b7-1b8q (promotion), 1e1-1g1 (castling)"};
  return {
      .summary =
          kNumbers[static_cast<std::size_t>(variant.levels - 1)] +
          std::string(" chessboards, each in a hole of the one above: pieces fall in, and whoever "
                      "wins a level rises with the pieces there."),
      .rulings =
          {"A turn is one move on any level. The middle sixteen squares of every level but the "
           "deepest are a hole: lines pass over it, and a move that would end on it ends on a "
           "square below instead, of the colour of the hole's square" +
               std::string(variant.colours_listed ? " (a rook or queen: of either colour)." : "."),
           "Kings never descend. A pawn descends straight onto an empty square, diagonally onto an "
           "enemy.",
           "Check comes only from pieces on the same level; a side must leave none of its kings, "
           "on any level, in check.",
           "A side that is in check and has no legal move loses the deepest level on which it is "
           "in check: the winner's pieces there rise one level (from level 1 nothing rises), the "
           "level is gone, and the rule is applied again.",
           "A piece that rises onto one of its own or the enemy king is lost; onto another enemy "
           "piece, it captures it. A king that rises stays royal.",
           "The last level decides the game.",
           "A pawn on its own second row may advance two squares, moved before or not."},
      .move_examples =
          "1g1-1f3, 1c2-2b3 (a descent from level 1 to 2), 2b7-2b8q (promotion), 2e1-2g1 "
          "(castling)"};
}

const InfernoVariant& InfernoPosition::variant(const VariantName& name) {
  check_option_names(name, info());
  const int levels = number_option(name, info(), "levels", 1, kMaxLevels);
  const bool listed = choice_option(name, info(), "colours", {"all", "listed"}) == "listed";
  static Interned<std::pair<int, bool>, InfernoVariant> variants;
  return variants.get({levels, listed}, [&](const auto&) {
    return InfernoVariant{levels, listed};
  });
}

const BoardGraph& InfernoPosition::graph(const Variant& variant) {
  static Interned<int, BoardGraph> graphs;
  return graphs.get(variant.levels,
                    [](int levels) { return BoardGraph::stacked(square_board(), levels); });
}

InfernoPosition InfernoPosition::start(const Variant& variant) {
  std::string pieces, castling;
  for (int level = 0; level < variant.levels; ++level) {
    pieces += (level ? "|" : "") + std::string(kOrthodoxStart);
    castling += level ? "|KQkq" : "KQkq";
  }
  return from_fen(variant, pieces + " w " + castling + " - 0 1");
}

void InfernoPosition::read_level(std::string_view text, int level) {
  FenPlacement placement;
  try {
    read_placement(text, square_board_rows(), "PNBRQK", false, placement);
  } catch (const FenError& error) {
    throw FenError("pieces", level_name(level) + ": " + error.reason());
  }
  const auto refuse = [&](const std::string& reason) {
    throw FenError("pieces", level_name(level) + ": " + reason);
  };
  for (Square s = 0; s < kLevelSquares; ++s) {
    const Piece piece = placement.pieces[s];
    if (!piece.exists()) continue;
    if (piece.type == Pawn && contains(last_row(piece.colour), s))
      refuse("a " + std::string(name(piece.colour)) + " pawn on " + square_name(s) +
             ", its last row");
    if (contains(hole(level), s))
      refuse("a piece on " + square_name(s) + ", where the level below has its hole");
    board(level).toggle(piece.colour, piece.type, s);
  }
  for (const Colour c : {Colour::White, Colour::Black})
    if (!board(level).of(c, King)) refuse(std::string(name(c)) + " has no king");
}

void InfernoPosition::read_en_passant(std::string_view field) {
  const int level = field.empty() ? -1 : field[0] - '1';
  const Square s = square_from_name(field.substr(std::min<std::size_t>(1, field.size())));
  if (level < 0 || level >= levels_ || s == kNoSquare)
    throw FenError("en passant", "expected '-' or a level from 1 to " + std::to_string(levels_) +
                                     " and a square of it, as in '1e3'");
  const Colour them = ~side_;
  const OrthodoxBoard& here = board(level);
  // If levels have vanished, a piece that rose may be on the pawn's origin.
  const bool risen = levels_ < start_levels_;
  require_step_over(here, them, s, row_of(them, 2),
                    risen ? here.occupied() & square_set<Bitboard>(s) : here.occupied());
  if (square_board_tables().pawn_attacks(them, s) & here.of(side_, Pawn))
    en_passant_ = static_cast<Square>(level * kLevelSquares + s);
}

InfernoPosition InfernoPosition::from_fen(const Variant& variant, std::string_view fen) {
  const auto fields = split_fen(fen, kFenFields);
  const auto levels = split_levels(fields[0]);
  if (levels.size() > static_cast<std::size_t>(variant.levels))
    throw FenError("pieces", "more levels than the " + std::to_string(variant.levels) + " of " +
                                 variant.canonical_name());
  InfernoPosition p;
  p.start_levels_ = static_cast<std::uint8_t>(variant.levels);
  p.colours_listed_ = variant.colours_listed;
  p.levels_ = static_cast<std::uint8_t>(levels.size());
  for (int level = 0; level < p.levels_; ++level)
    p.read_level(levels[static_cast<std::size_t>(level)], level);
  for (const Colour c : {Colour::White, Colour::Black}) {
    int kings = 0;
    for (int level = 0; level < p.levels_; ++level)
      kings += count(p.board(level).of(c, King));
    if (kings > variant.levels)
      throw FenError("pieces", std::string(name(c)) + " has " + std::to_string(kings) +
                                   " kings; the game has only " + std::to_string(variant.levels) +
                                   " per side");
  }
  p.side_ = read_side(fields[1]);

  const auto rights = split_levels(fields[2]);
  if (rights.size() != levels.size())
    throw FenError("castling", "expected one part for each of the " +
                                   std::to_string(levels.size()) + " levels, joined by '|'");
  for (int level = 0; level < p.levels_; ++level) {
    const auto l = static_cast<std::size_t>(level);
    p.castling_[l] = square_castling::read_rights(rights[l], p.boards_[l]);
  }
  if (fields[3] != "-") p.read_en_passant(fields[3]);
  p.read_counters(fields[4], fields[5]);

  if (p.levels_ > 1 && p.in_check() && p.count_legal_moves() == 0)
    throw FenError("pieces", std::string(name(p.side_)) +
                                 " is in check and cannot move: a level is already won, and a won "
                                 "level is resolved at once");
  p.key_ = p.key_from_scratch();
  return p;
}

std::string InfernoPosition::fen() const {
  std::string pieces, castling;
  for (int level = 0; level < levels_; ++level) {
    FenPlacement placement;
    for (Square s = 0; s < kLevelSquares; ++s)
      placement.pieces[s] = board(level).at(s);
    if (level) {
      pieces += '|';
      castling += '|';
    }
    pieces += write_placement(square_board_rows(), placement);
    castling += write_castling_letters(castling_[static_cast<std::size_t>(level)]);
  }
  return pieces +
         fen_after_pieces(castling, en_passant_ == kNoSquare ? "-" : square_text(en_passant_));
}

/// "1d3" for square 19.
std::string InfernoPosition::square_text(Square s) {
  return std::to_string(s / kLevelSquares + 1) +
         square_name(static_cast<Square>(s % kLevelSquares));
}

std::string InfernoPosition::move_text(Move move) const {
  std::string text = square_text(move.from()) + "-" + square_text(move.to());
  if (move.kind() == MoveKind::Promotion) text += piece_letter({move.promotion(), Colour::Black});
  return text;
}

std::string InfernoPosition::sentence_about_losing(int level) const {
  const Colour winner = ~side_;
  std::string text = capitalised(winner) + " wins " + level_name(level) + ": ";
  if (level == 0) {
    text += "it is removed with all pieces on it.";
  } else {
    const OrthodoxBoard& rising = board(level);
    const OrthodoxBoard& above = board(level - 1);
    std::vector<std::string> ascend, captured, blocked;
    for_each_square(rising.of(winner), [&](Square s) {
      const Piece met = above.at(s);
      const bool stays = met.exists() && (met.colour == winner || met.type == PieceType::King);
      (stays ? blocked : ascend).push_back(piece_name(rising.type_at(s), level, s));
      if (met.exists() && !stays) captured.push_back(piece_name(met.type, level - 1, s));
    });
    text += capitalised(side_) + "'s pieces on it are removed, " +
            (ascend.empty() ? "nothing" : list_of(ascend)) +
            (ascend.size() > 1 ? " ascend to " : " ascends to ") + level_name(level - 1);
    if (!captured.empty()) text += ", capturing " + list_of(captured);
    if (!blocked.empty()) text += "; lost where their squares are taken: " + list_of(blocked);
    text += '.';
  }
  for (int deeper = level + 1; deeper < levels_; ++deeper)
    text += (deeper == level + 1 ? " Now " : ", ") + level_name(deeper) + " is " +
            level_name(deeper - 1);
  return level + 1 < levels_ ? text + '.' : text;
}

BoardEffects InfernoPosition::board_effects(Move move) const {
  BoardEffects effects;
  InfernoPosition after = *this;
  after.make_move(move);
  for (int lost = after.lost_level(); lost >= 0; lost = after.lost_level()) {
    effects.marks.push_back(std::to_string(lost + 1));
    effects.add_sentence(after.sentence_about_losing(lost));
    after.lose_level(lost);
  }
  return effects;
}

std::optional<Move> InfernoPosition::parse_move(std::string_view text) const {
  return find_move(*this, text);
}

std::string InfernoPosition::picture() const {
  constexpr int kBoardsAbreast = 3;
  constexpr std::string_view kGap = "     ";
  std::string text;
  for (int first_level = 0; first_level < levels_; first_level += kBoardsAbreast) {
    const int end = std::min<int>(first_level + kBoardsAbreast, levels_);
    const auto abreast = [&](auto&& line) {
      for (int level = first_level; level < end; ++level)
        text += (level == first_level ? std::string() : std::string(kGap)) + line(level);
      while (text.back() == ' ')
        text.pop_back();
      text += '\n';
    };
    if (first_level) text += '\n';
    abreast([&](int level) { return "  " + level_name(level) + "         "; });
    for (const auto& row : square_board_rows())
      abreast([&](int level) {
        std::string line = std::to_string(row.front() / 8 + 1) + " ";
        for (const Square s : row) {
          const Piece piece = board(level).at(s);
          const char empty = contains(hole(level), s) ? ' ' : (s / 8 + s % 8) % 2 == 0 ? ':' : '.';
          line += std::string(" ") + (piece.exists() ? piece_letter(piece) : empty);
        }
        return line;
      });
    abreast([](int) { return std::string("   a b c d e f g h"); });
  }
  return text;
}

}  // namespace faultline
