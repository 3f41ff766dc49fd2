// Earthquake Chess (docs/rules.md).
#include "rules/families/earthquake.h"

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cstdlib>
#include <optional>
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

/// FEN's last number or numbers: the shift just made.
std::string last_text(const EarthquakeVariant& variant, Displacement last) {
  const std::string files = std::to_string(last.dx);
  return variant.shifts_by_ranks() ? files + "/" + std::to_string(last.dy) : files;
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

EarthquakeVariant::EarthquakeVariant(const EarthquakeOptions& options) : options_(options) {
  for (int dy = lowest_dy(); dy <= highest_dy(); ++dy)
    for (int dx = -kMaxDx; dx <= kMaxDx; ++dx)
      if (dx == options.dx || (shifts() && std::abs(dx) <= kMaxShiftedDx))
        boards_[slot({dx, dy})] = &DisplacedBoard::of({dx, dy}, fly());
}

const DisplacedBoard* EarthquakeVariant::shifted(Displacement before, Displacement by) const {
  const Displacement after = before + by;
  if (by.dx != 0 && std::abs(after.dx) > kMaxShiftedDx) return nullptr;
  const DisplacedBoard* const there = board(after);
  // Halves that overlap or lie one above the other touch, unless one covers the other completely.
  if (by.dy != 0 && there != nullptr && !fly() && !there->halves_touch()) return nullptr;
  return there;
}

std::string EarthquakeVariant::canonical_name() const {
  std::string text;
  const auto option = [&](const char* name, const std::string& value, const char* usual) {
    if (value != usual) text += (text.empty() ? ":" : ",") + std::string(name) + "=" + value;
  };
  option("dx", std::to_string(options_.dx), "1");
  option("dy", std::to_string(options_.dy), "0");
  option("fly", fly() ? "on" : "off", "off");
  option("aftershock", std::to_string(aftershocks()), "0");
  option("shock", std::to_string(shock()), "1");
  option("every", std::to_string(every()), "0");
  option("axis", options_.both_axes ? "both" : "horizontal", "horizontal");
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
            .help = "maximum files (or ranks, with axis=both) per aftershock"},
           {.name = "every",
            .default_value = "0",
            .allowed = "0 to 50",
            .help = "if not 0: instead of a number of aftershocks, one in every so many of a "
                    "player's own turns (needs aftershock=0)"},
           {.name = "axis",
            .default_value = "horizontal",
            .allowed = "horizontal, both",
            .help = "whether aftershocks shift the lower half by files only, or by ranks as well"}},
      .most_plies = 600};
  return info;
}

namespace {
/// How often a player may shift the lower half.
std::string how_often(const EarthquakeVariant& variant) {
  if (variant.every() == 1) return "on any turn";
  if (variant.every() > 1) return "once in every " + std::to_string(variant.every()) + " turns";
  const int uses = variant.aftershocks();
  return uses == 1 ? "once" : "up to " + std::to_string(uses) + " times";
}
}  // namespace

VariantDescription EarthquakePosition::describe(const Variant& variant) {
  const Displacement d = variant.start();
  const bool shocks = variant.shifts();
  const bool can_cover = variant.can_cover();
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
    const std::string distance =
        variant.shock() == 1 ? "one file" : "1 to " + std::to_string(variant.shock()) + " files";
    const bool ranks = variant.shifts_by_ranks();
    about.rulings.push_back("Instead of moving a piece, each player may " + how_often(variant) +
                            " shift the lower half to the left or right by " + distance +
                            (ranks ? ", or up or down by as many ranks" : "") +
                            " (an aftershock).");
    about.rulings.push_back(
        "An aftershock may answer a check; it may not undo the opponent's, " +
        std::string(can_cover ? "cover a piece, " : "") + "or lead beyond 7 files" +
        (ranks ? variant.fly() ? ", 4 ranks up or 2 ranks down."
                               : " or 4 ranks up, and the halves must still touch."
               : "."));
  }

  about.move_examples = "e2e4";
  const Square b4 = 25;
  const Bitboard ahead_of_b4 = variant.board(d)->tables().pawn_push(Colour::White, b4);
  if (ahead_of_b4)
    about.move_examples += ", b4" + square_name(first(ahead_of_b4)) + " (straight over the seam)";
  about.move_examples += ", e1g1 (castling), a7a8q (promotion)";
  if (shocks)
    about.move_examples += std::string(variant.shock() > 1 ? ", @+1 and @-2" : ", @+1 and @-1") +
                           (variant.shifts_by_ranks() ? ", @^1 and @v1" : "") + " (aftershocks)";
  return about;
}

const EarthquakeVariant& EarthquakePosition::variant(const VariantName& name) {
  check_option_names(name, info());
  const EarthquakeOptions options = {
      .dx = number_option(name, info(), "dx", -Variant::kMaxDx, Variant::kMaxDx),
      .dy = number_option(name, info(), "dy", Variant::kMinDy, Variant::kMaxDy),
      .fly = choice_option(name, info(), "fly", {"off", "on"}) == "on",
      .aftershocks = number_option(name, info(), "aftershock", 0, 9),
      .shock = number_option(name, info(), "shock", 1, 7),
      .every = number_option(name, info(), "every", 0, 50),
      .both_axes = choice_option(name, info(), "axis", {"horizontal", "both"}) == "both"};
  require_allowed({options.dx, options.dy}, options.fly);
  if (options.every > 0 && options.aftershocks > 0)
    throw VariantError("earthquake: every=" + std::to_string(options.every) +
                       " needs aftershock=0 (the default): aftershocks are limited by the turns "
                       "between them or by their number");
  static Interned<EarthquakeOptions, EarthquakeVariant> variants;
  return variants.get(options, [](const auto& of) { return EarthquakeVariant(of); });
}

EarthquakePosition EarthquakePosition::start(const Variant& variant) {
  std::string fen = orthodox_start_without(covered_squares(variant.start())) + " w KQkq - 0 1 " +
                    field_of(variant.start());
  const std::string uses = std::to_string(variant.aftershocks());  // no turns to wait with `every`
  if (variant.shifts()) fen += "/" + uses + "," + uses + "/" + last_text(variant, {});
  return from_fen(variant, fen);
}

void EarthquakePosition::read_ground(std::string_view field) {
  const bool shocks = variant_->shifts();
  const bool by_ranks = variant_->shifts_by_ranks();
  const std::string form = by_ranks ? "dx,dy/white,black/last dx/last dy"
                           : shocks ? "dx,dy/white,black/last"
                                    : "dx,dy (aftershocks are off)";
  std::vector<int> numbers;
  const std::string_view separators = by_ranks ? ",/,//" : shocks ? ",/,/" : ",";
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
  ground_ = variant_->board(d);
  if (ground_ == nullptr)
    throw FenError("displacement",
                   field_of(d) + " cannot be reached from " + field_of(variant_->start()));
  if (!shocks) return;

  read_count(Colour::White, numbers[2]);
  read_count(Colour::Black, numbers[3]);
  read_last_shift({numbers[4], by_ranks ? numbers[5] : 0});
}

void EarthquakePosition::read_count(Colour c, int count) {
  const bool waits = variant_->every() > 0;
  const int most = waits ? variant_->every() - 1 : variant_->aftershocks();
  if (count < 0 || count > most)
    throw FenError(
        "displacement",
        (waits ? "a player waits 0 to " : "a player has 0 to ") + std::to_string(most) +
            (waits ? " turns for the next aftershock, not " : " aftershocks left, not ") +
            std::to_string(count));
  counts_[static_cast<std::size_t>(index(c))] = static_cast<std::uint8_t>(count);
}

void EarthquakePosition::read_last_shift(Displacement last) {
  if (last == Displacement{}) return;
  const int count = aftershock_count(~side_);
  const Displacement d = ground_->displacement();
  if (std::max(std::abs(last.dx), std::abs(last.dy)) > variant_->shock())
    throw FenError("displacement", "one aftershock shifts at most " +
                                       std::to_string(variant_->shock()) + " files" +
                                       (variant_->shifts_by_ranks() ? " or ranks" : ""));
  if (variant_->every() > 0 && count != variant_->every() - 1)
    throw FenError("displacement", "the opponent, who shifted last, waits " +
                                       std::to_string(variant_->every() - 1) + " turns, not " +
                                       std::to_string(count));
  if (variant_->every() == 0 && count == variant_->aftershocks())
    throw FenError("displacement", "the opponent, who shifted last, has all aftershocks left");
  const bool is_one_shift = last.dx == 0 || last.dy == 0;
  const Displacement before = d + -last;
  if (!is_one_shift || !variant_->board(before) || !variant_->shifted(before, last))
    throw FenError("displacement",
                   "no aftershock of " + last_text(*variant_, last) + " leads to " + field_of(d));
  last_dx_ = static_cast<std::int8_t>(last.dx);
  last_dy_ = static_cast<std::int8_t>(last.dy);
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
    if (p.last_shift() != Displacement{} ||
        !(tables.pawn_push(them, s) & p.board_.of(them, Pawn)) ||
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
  if (variant_->shifts())
    text += "/" + std::to_string(counts_[0]) + "," + std::to_string(counts_[1]) + "/" +
            last_text(*variant_, last_shift());
  return text;
}

template <Colour us, class Sink>
void EarthquakePosition::generate_shifts(Square king, Sink& sink) const {
  const auto offer = [&](Move shift) {
    const Displacement by = shift_of(shift);
    if (by == -last_shift()) return;
    const DisplacedBoard* const there = variant_->shifted(ground_->displacement(), by);
    if (there != nullptr && !(there->covered() & board_.occupied()) &&
        !attackers(there->tables(), board_, king, ~us, board_.occupied()))
      sink.move(shift);
  };
  const auto offer_up_to = [&](int most, bool by_ranks) {
    for (int amount = -most; amount <= most; ++amount)
      if (amount != 0) offer(Move::aftershock(amount, by_ranks));
  };
  offer_up_to(variant_->shock(), false);
  offer_up_to(variant_->most_ranks(), true);
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
  if (may_shift(us)) generate_shifts<us>(king, sink);
  if (!checks.check_mask) return;
  generate_pieces<us>(tables, board_, view, checks, sink);
  if (en_passant_ != kNoSquare)
    generate_en_passant<us>(tables, board_, view.occupied, en_passant_,
                            first(tables.pawn_push(~us, en_passant_)), sink);
  if (castling_ && !checks.checkers)
    square_castling::generate<us>(tables, board_, castling_, board_.occupied() | missing(),
                                  [&](Move m) { sink.move(m); });
}

std::uint64_t EarthquakePosition::ground_key() const {
  const auto numbers = [](Displacement d) {
    return static_cast<std::uint32_t>(d.dx + 128 + 256 * d.dy);
  };
  const Displacement d = ground_->displacement();
  return zobrist::state(kDisplacementTag, numbers({d.dx, d.dy - variant_->start().dy})) ^
         zobrist::state(kAftershocksTag, counts_[0] * 64U + counts_[1]) ^
         (last_shift() == Displacement{} ? 0
                                         : zobrist::state(kLastShiftTag, numbers(last_shift())));
}

void EarthquakePosition::play_ground(Displacement by) {
  std::uint8_t& count = counts_[static_cast<std::size_t>(index(side_))];
  const int every = variant_->every();
  const bool waits = every > 0 && count > 0;
  if (by == last_shift() && by == Displacement{} && !waits) return;
  key_ ^= ground_key();
  last_dx_ = static_cast<std::int8_t>(by.dx);
  last_dy_ = static_cast<std::int8_t>(by.dy);
  if (by != Displacement{}) {
    assert(may_shift(side_));
    ground_ = variant_->board(ground_->displacement() + by);
    count = static_cast<std::uint8_t>(every > 0 ? every - 1 : count - 1);
  } else if (waits) {
    --count;
  }
  key_ ^= ground_key();
}

void EarthquakePosition::play(Move move) {
  const Colour us = side_;
  const bool shift = move.kind() == MoveKind::Aftershock;
  set_en_passant(kNoSquare);
  play_ground(shift ? shift_of(move) : Displacement{});
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
  const int amount = move.amount();
  if (move.by_ranks()) return (amount > 0 ? "@^" : "@v") + std::to_string(std::abs(amount));
  return (amount > 0 ? "@+" : "@") + std::to_string(amount);
}

template class BoardPosition<EarthquakePosition, OrthodoxBoard, 1024>;
static_assert(Position<EarthquakePosition>);

}  // namespace faultline
