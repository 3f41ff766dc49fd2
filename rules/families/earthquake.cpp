// Earthquake Chess (docs/rules.md).
#include "rules/families/earthquake.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "base/interned.h"
#include "rules/board_position_impl.h"
#include "rules/square_board.h"
#include "rules/square_castling.h"
#include "rules/square_play.h"

namespace faultline {

namespace {

using enum PieceType;
using namespace square_board_sets;

constexpr std::uint32_t kDisplacementTag = zobrist::kFirstFamilyTag + 32;
constexpr std::uint32_t kAftershocksTag = zobrist::kFirstFamilyTag + 33;
constexpr std::uint32_t kLastShiftTag = zobrist::kFirstFamilyTag + 34;

/// The occupied squares of the start position.
constexpr Bitboard kStartPieces = row(0) | row(1) | row(6) | row(7);

std::string field_of(Displacement d) {
  return std::to_string(d.dx) + "," + std::to_string(d.dy);
}

/// Throws VariantError if no game can start on this board.
void require_allowed(Displacement d, bool fly) {
  const std::string where = "earthquake: the displacement " + field_of(d);
  if (d.dy < 0 && !fly) throw VariantError(where + " tears the halves apart: dy < 0 needs fly=on");
  if (const Bitboard buried = covered_squares(d) & kStartPieces)
    throw VariantError(where + " covers " + square_name(first(buried)) +
                       ", which holds a piece at the start");
  if (!fly && !halves_touch(d))
    throw VariantError(where + " leaves the halves apart: they must touch, or fly=on");
}

/// Removes an integer from the front of `text`; nothing if there is none in canonical form.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto length = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || std::to_string(number) != text.substr(0, length)) return std::nullopt;
  text.remove_prefix(length);
  return number;
}

}  // namespace

EarthquakeVariant::EarthquakeVariant(Displacement start, bool fly, int aftershocks, int shock)
    : start_(start), fly_(fly), aftershocks_(aftershocks), shock_(shock) {
  for (int dx = -kMaxDx; dx <= kMaxDx; ++dx)
    if (dx == start.dx || (aftershocks > 0 && std::abs(dx) <= kMaxShiftedDx))
      boards_[static_cast<std::size_t>(dx + kMaxDx)] = &DisplacedBoard::of({dx, start.dy}, fly);
}

std::string EarthquakeVariant::canonical_name() const {
  std::string text;
  const auto option = [&](const char* name, const std::string& value, const char* usual) {
    if (value != usual) text += (text.empty() ? ":" : ",") + std::string(name) + "=" + value;
  };
  option("dx", std::to_string(start_.dx), "1");
  option("dy", std::to_string(start_.dy), "0");
  option("fly", fly_ ? "on" : "off", "off");
  option("aftershock", std::to_string(aftershocks_), "0");
  option("shock", std::to_string(shock_), "1");
  return "earthquake" + text;
}

const FamilyInfo& EarthquakePosition::info() {
  static const FamilyInfo info = {
      .name = "earthquake",
      .inventor = "Ralph Betza",
      .summary =
          "The lower half of the board is displaced against the upper one; aftershocks may shift "
          "it further.",
      .options =
          {{.name = "dx",
            .default_value = "1",
            .allowed = "-8 to 8",
            .help = "files by which the lower half is displaced to the right"},
           {.name = "dy",
            .default_value = "0",
            .allowed = "-2 to 4",
            .help = "ranks by which the lower half is displaced up, over the upper one (below 0: "
                    "apart, with fly=on)"},
           {.name = "fly",
            .default_value = "off",
            .allowed = "off, on",
            .help = "riders pass over gaps without squares"},
           {.name = "aftershock",
            .default_value = "0",
            .allowed = "0 to 9",
            .help = "how often each player may shift the lower half instead of moving"},
           {.name = "shock",
            .default_value = "1",
            .allowed = "1 to 7",
            .help = "maximum files per aftershock"}},
      .most_plies = 600};
  return info;
}

VariantDescription EarthquakePosition::describe(const Variant& variant) {
  const Displacement d = variant.start();
  const bool shocks = variant.aftershocks() > 0;
  const bool can_cover = d.dy > 0;
  VariantDescription about;
  about.summary = d == Displacement{}
                      ? "The halves of the board are placed as in chess"
                      : "The lower half of the board is displaced against the upper one";
  about.summary += shocks ? "; aftershocks may shift it further." : ".";
  about.rulings.emplace_back(
      "Squares keep their chess names; pieces move by the squares' actual positions.");
  if (can_cover)
    about.rulings.emplace_back(
        "Where the halves overlap, the lower squares cover the upper ones, which are gone.");
  about.rulings.emplace_back(variant.fly()
                                 ? "Riders pass over gaps without squares, but cannot stop there; "
                                   "leapers only need a square to land on."
                                 : "A gap without squares blocks riders; leapers only need a "
                                   "square to land on.");
  about.rulings.emplace_back(
      "Pawns promote on the squares named rank 8 (White) or rank 1 (Black) and nowhere else; "
      "double "
      "steps start on those named rank 2 and rank 7.");
  if (shocks) {
    const int uses = variant.aftershocks();
    const int files = variant.shock();
    about.rulings.push_back("Instead of moving a piece, each player may " +
                            (uses == 1 ? "once" : "up to " + std::to_string(uses) + " times") +
                            " shift the lower half to the left or right by " +
                            (files == 1 ? "one file" : "1 to " + std::to_string(files) + " files") +
                            " (an aftershock).");
    about.rulings.push_back("An aftershock may answer a check; it may not undo the opponent's, " +
                            std::string(can_cover ? "cover a piece, " : "") +
                            "or lead beyond 7 files.");
  }

  about.move_examples = "e2e4";
  const Square b4 = 25;
  const Bitboard ahead_of_b4 = variant.board(d.dx)->tables().pawn_push(Colour::White, b4);
  if (ahead_of_b4)
    about.move_examples += ", b4" + square_name(first(ahead_of_b4)) + " (straight over the seam)";
  about.move_examples += ", e1g1 (castling), a7a8q (promotion)";
  if (shocks)
    about.move_examples +=
        std::string(variant.shock() > 1 ? ", @+1 and @-2" : ", @+1 and @-1") + " (aftershocks)";
  return about;
}

const EarthquakeVariant& EarthquakePosition::variant(const VariantName& name) {
  check_option_names(name, info());
  const Displacement d = {number_option(name, info(), "dx", -8, 8),
                          number_option(name, info(), "dy", -2, 4)};
  const bool fly = choice_option(name, info(), "fly", {"off", "on"}) == "on";
  const int aftershocks = number_option(name, info(), "aftershock", 0, 9);
  const int shock = number_option(name, info(), "shock", 1, 7);
  require_allowed(d, fly);
  static Interned<std::array<int, 5>, EarthquakeVariant> variants;
  return variants.get({d.dx, d.dy, fly, aftershocks, shock},
                      [&](const auto&) { return EarthquakeVariant(d, fly, aftershocks, shock); });
}

EarthquakePosition EarthquakePosition::start(const Variant& variant) {
  FenPlacement placement;
  const std::string army = "RNBQKBNR";
  for (Square file = 0; file < 8; ++file)
    for (const Colour c : {Colour::White, Colour::Black}) {
      const auto back = static_cast<Square>(c == Colour::White ? file : 56 + file);
      placement.pieces[back] = {piece_from_letter(army[file])->type, c};
      placement.pieces[ahead(c, back, 1)] = {Pawn, c};
    }
  const Bitboard covered = covered_squares(variant.start());
  for_each_square(covered, [&](Square s) { placement.missing.set(s); });
  std::string fen = write_placement(square_board_rows(), placement) + " w KQkq - 0 1 " +
                    field_of(variant.start());
  const std::string uses = std::to_string(variant.aftershocks());
  if (variant.aftershocks() > 0) fen += "/" + uses + "," + uses + "/0";
  return from_fen(variant, fen);
}

void EarthquakePosition::read_ground(std::string_view field) {
  const bool shocks = variant_->aftershocks() > 0;
  const std::string form = shocks ? "dx,dy/white,black/last" : "dx,dy (aftershocks are off)";
  std::vector<int> numbers;
  const std::string_view separators = shocks ? ",/,/" : ",";
  std::string_view rest = field;
  for (std::size_t i = 0; i <= separators.size(); ++i) {
    const std::optional<int> number = take_number(rest);
    const bool separated =
        i == separators.size() ? rest.empty() : !rest.empty() && rest.front() == separators[i];
    if (!number || !separated) throw FenError("displacement", "expected " + form);
    numbers.push_back(*number);
    if (!rest.empty()) rest.remove_prefix(1);
  }
  const Displacement d = {numbers[0], numbers[1]};
  ground_ = variant_->board(d.dx);
  if (d.dy != variant_->start().dy || ground_ == nullptr)
    throw FenError("displacement",
                   field_of(d) + " cannot be reached from " + field_of(variant_->start()));
  if (!shocks) return;

  for (const std::size_t c : {0U, 1U}) {
    const int left = numbers[2 + c];
    if (left < 0 || left > variant_->aftershocks())
      throw FenError("displacement", "a player has 0 to " +
                                         std::to_string(variant_->aftershocks()) +
                                         " aftershocks left, not " + std::to_string(left));
    left_[c] = static_cast<std::uint8_t>(left);
  }
  const int last = numbers[4];
  if (std::abs(last) > variant_->shock())
    throw FenError("displacement",
                   "one aftershock shifts at most " + std::to_string(variant_->shock()) + " files");
  if (last != 0 && aftershocks_left(~side_) == variant_->aftershocks())
    throw FenError("displacement", "the opponent, who shifted last, has all aftershocks left");
  if (last != 0 && (std::abs(d.dx) > Variant::kMaxShiftedDx || !variant_->board(d.dx - last)))
    throw FenError("displacement",
                   "no aftershock of " + std::to_string(last) + " leads to " + field_of(d));
  last_shift_ = static_cast<std::int8_t>(last);
}

EarthquakePosition EarthquakePosition::from_fen(const Variant& variant, std::string_view fen) {
  std::array<std::string_view, kFenFields.size() + 1> names;
  std::copy(kFenFields.begin(), kFenFields.end(), names.begin());
  names.back() = "displacement";
  const auto fields = split_fen(fen, names);
  EarthquakePosition p;
  p.variant_ = &variant;
  p.side_ = read_side(fields[1]);
  p.read_ground(fields[6]);

  FenPlacement placement;
  read_placement(fields[0], square_board_rows(), "PNBRQK", true, placement);
  for (Square s = 0; s < 64; ++s)
    if (placement.missing[s] != contains(p.missing(), s))
      throw FenError("pieces",
                     square_name(s) + (placement.missing[s] ? " is '*' but not covered"
                                                            : " is covered and must be '*'"));
  p.set_pieces(placement, {kFirstAndLast, kFirstAndLast});
  p.castling_ = square_castling::read_rights(fields[2], p.board_);

  if (fields[3] != "-") {
    const Square s = p.named_en_passant(fields[3]);
    const Colour them = ~p.side_;
    // The squares ahead and behind, by location.
    const LongLineTables& tables = p.tables();
    const Bitboard origin = tables.pawn_push(p.side_, s);
    if (!(origin & row_of(them, 1)))
      throw FenError("en passant", "no double step passes over " + square_name(s));
    if (p.last_shift_ != 0 || !(tables.pawn_push(them, s) & p.board_.of(them, Pawn)) ||
        (p.board_.occupied() & (origin | square_set<Bitboard>(s))))
      throw FenError("en passant", "no pawn has just passed over " + square_name(s));
    p.offer_en_passant(s);
  }
  p.read_counters(fields[4], fields[5]);
  p.finish_reading();
  return p;
}

std::string EarthquakePosition::fen() const {
  std::string text = BoardPosition::fen() + " " + field_of(ground_->displacement());
  if (variant_->aftershocks() > 0)
    text += "/" + std::to_string(left_[0]) + "," + std::to_string(left_[1]) + "/" +
            std::to_string(last_shift_);
  return text;
}

template <Colour us, class Sink>
void EarthquakePosition::generate(Sink& sink) const {
  const LongLineTables& tables = ground_->tables();
  const Square king = board_.king(us);
  // No link leads to a covered square, so that only the pieces have to be checked.
  const auto view = view_of<us>(board_, Bitboard{0}, row_of(us, 1), last_row(us));
  CheckInfo<Bitboard> checks;
  find_check_info<us>(tables, board_, king, Bitboard{0}, checks);

  generate_king<us>(tables, board_, king, view, sink);
  if (aftershocks_left(us) > 0) {
    const int dx = ground_->displacement().dx;
    for (int amount = -variant_->shock(); amount <= variant_->shock(); ++amount) {
      if (amount == 0 || amount == -last_shift_ || std::abs(dx + amount) > Variant::kMaxShiftedDx)
        continue;
      const DisplacedBoard& shifted = *variant_->board(dx + amount);
      if (!(shifted.covered() & board_.occupied()) &&
          !attackers(shifted.tables(), board_, king, ~us, board_.occupied()))
        sink.move(Move::aftershock(amount));
    }
  }
  if (!checks.check_mask) return;
  generate_pieces<us>(
      tables, board_, view,
      [&](Square from, Bitboard candidates) { return checks.allowed(from, candidates); }, sink);
  if (en_passant_ != kNoSquare)
    generate_en_passant<us>(tables, board_, view.occupied, en_passant_,
                            first(tables.pawn_push(~us, en_passant_)), sink);
  if (castling_ && !checks.checkers)
    square_castling::generate<us>(tables, board_, castling_, board_.occupied() | missing(),
                                  [&](Move m) { sink.move(m); });
}

std::uint64_t EarthquakePosition::ground_key() const {
  const auto number = [](int n) { return static_cast<std::uint32_t>(n + 128); };
  return zobrist::state(kDisplacementTag, number(ground_->displacement().dx)) ^
         zobrist::state(kAftershocksTag, left_[0] * 16U + left_[1]) ^
         (last_shift_ == 0 ? 0 : zobrist::state(kLastShiftTag, number(last_shift_)));
}

void EarthquakePosition::play(Move move) {
  const Colour us = side_;
  const bool shift = move.kind() == MoveKind::Aftershock;
  set_en_passant(kNoSquare);
  if (shift || last_shift_ != 0) {
    key_ ^= ground_key();
    last_shift_ = 0;
    if (shift) {
      assert(aftershocks_left(us) > 0);
      ground_ = variant_->board(ground_->displacement().dx + move.amount());
      last_shift_ = static_cast<std::int8_t>(move.amount());
      --left_[static_cast<std::size_t>(index(us))];
    }
    key_ ^= ground_key();
  }
  if (shift) {
    end_turn(false, false);
    return;
  }
  // A pawn captured en passant is ahead by location, which need not be an adjacent rank.
  const LongLineTables& tables = ground_->tables();
  const Square captured_on =
      move.kind() == MoveKind::EnPassant ? first(tables.pawn_push(~us, move.to())) : move.to();
  const PiecePlayed played = play_piece(board_, key_, us, move, captured_on);
  if (move.kind() == MoveKind::DoubleStep) step_over(first(tables.pawn_push(us, move.from())));
  keep_castling(square_castling::kept_after(move));
  end_turn(played.progress(), played.progress());
}

std::string EarthquakePosition::move_text(Move move) const {
  if (move.kind() != MoveKind::Aftershock) return BoardPosition::move_text(move);
  return (move.amount() > 0 ? "@+" : "@") + std::to_string(move.amount());
}

std::string EarthquakePosition::picture() const {
  const Displacement d = ground_->displacement();
  const int left = std::min(0, d.dx);
  const int right = std::max(7, 7 + d.dx);
  const int top = std::max(7, 3 + d.dy);
  const int bottom = std::min(4, d.dy);
  const auto upper_rank = [](int y) {
    return y >= 4 && y < 8 ? std::to_string(y + 1) : std::string(" ");
  };
  const auto lower_rank = [&](int y) {
    return y >= d.dy && y < d.dy + 4 ? std::to_string(y - d.dy + 1) : std::string(" ");
  };
  const auto files = [&](int first_x) {
    return std::string(static_cast<std::size_t>(2 * (first_x - left) + 3), ' ') +
           "a b c d e f g h\n";
  };
  std::string text = files(0);
  for (int y = top; y >= bottom; --y) {
    text += upper_rank(y) + " ";
    for (int x = left; x <= right; ++x) {
      char cell = ' ';
      for (Square s = 0; s < 64; ++s) {
        if (contains(ground_->covered(), s) || point_of(s, d) != Point{x, y}) continue;
        const Piece piece = board_.at(s);
        const char empty = ((x + y) & 1) == 0 ? ':' : '.';
        cell = piece.exists() ? piece_letter(piece) : empty;
      }
      text += std::string(" ") + cell;
    }
    text += "  " + lower_rank(y);
    while (text.back() == ' ')
      text.pop_back();
    text += '\n';
  }
  text += files(d.dx) + "upper half: ranks on the left; lower half, displaced by " + field_of(d) +
          ": ranks on the right\n";
  if (variant_->aftershocks() > 0)
    text += "aftershocks left: white " + std::to_string(left_[0]) + ", black " +
            std::to_string(left_[1]) +
            (last_shift_ == 0 ? "" : "; just shifted by " + std::to_string(last_shift_)) + "\n";
  return text;
}

BoardPicture EarthquakePosition::board_picture() const {
  constexpr double kHalf = 4;  // ranks
  constexpr double kWidth = 8;
  constexpr double kAside = kPictureLabelDistance;
  const Displacement d = ground_->displacement();
  const double dx = d.dx;
  const double dy = d.dy;
  BoardPicture picture;
  PictureBox box = {{dx, dy}, {dx + kWidth, dy + kHalf}};
  for (Square s = 0; s < 64; ++s) {
    if (contains(ground_->covered(), s)) continue;
    const auto [x, y] = point_of(s, d);
    const PicturePoint low = {static_cast<double>(x), static_cast<double>(y)};
    picture.add_square(s, square_name(s), 0, low, checkered(x, y), board_.at(s));
    box = box.with(low).with(low + PicturePoint{1, 1});
  }
  picture.levels.push_back({box});

  // Each half has its own labels on the side that the other half leaves free.
  const bool to_the_right = d.dx >= 0;
  picture.add_files(0, 8, {0.5, 2 * kHalf + kAside}, true);
  picture.add_files(0, 8, {dx + 0.5, dy - kAside}, true);
  const double beside_upper = to_the_right ? -kAside : kWidth + kAside;
  for (int rank = 5; rank <= 8; ++rank)
    if (row(rank - 1) & ~ground_->covered())
      picture.add_ranks(0, rank, 1, {beside_upper, rank - 0.5}, true);
  picture.add_ranks(0, 1, 4, {to_the_right ? dx + kWidth + kAside : dx - kAside, dy + 0.5}, true);
  if (variant_->aftershocks() > 0)
    picture.labels.push_back({.kind = PictureLabel::Kind::Note,
                              .level = 0,
                              .text = "aftershocks left: White " + std::to_string(left_[0]) +
                                      ", Black " + std::to_string(left_[1]),
                              .at = {box.low.x, box.low.y - 1.5},
                              .turns_with_board = false});

  PictureMark fault{.kind = PictureMark::Kind::FaultLine, .level = 0, .points = {}};
  const double left = std::max(0.0, dx);
  const double right = std::min(kWidth, dx + kWidth);
  const double edge = dy + kHalf;  // the lower half's upper edge
  if (dy <= 0) {
    constexpr double kBeyond = 0.4;
    const double middle = (edge + kHalf) / 2;
    fault.points = {{left - kBeyond, middle}, {right + kBeyond, middle}};
  } else {
    // Around the part that covers the upper half, where the two border on each other.
    if (dx > 0 && dx < kWidth) fault.points.push_back({dx, kHalf});
    if (dy < kHalf || left < right) fault.points.push_back({left, edge});
    if (dy < kHalf || left < right) fault.points.push_back({right, edge});
    if (dx < 0 && dx > -kWidth) fault.points.push_back({dx + kWidth, kHalf});
    if (left >= right) fault.points = {{left, kHalf}, {left, edge}};
  }
  picture.marks.push_back(std::move(fault));
  mark_check(picture);
  return picture;
}

void EarthquakePosition::mark_move(Move move, BoardPicture& after) const {
  if (move.kind() != MoveKind::Aftershock) return BoardPosition::mark_move(move, after);
  const Displacement before = ground_->displacement();
  const PicturePoint from = {before.dx + 4.0, before.dy - 0.85};
  after.marks.push_back({.kind = PictureMark::Kind::BoardMove,
                         .level = 0,
                         .points = {from, from + PicturePoint{1.0 * move.amount(), 0}}});
}

template class BoardPosition<EarthquakePosition, OrthodoxBoard, 1024>;
static_assert(Position<EarthquakePosition>);

}  // namespace faultline
