// Shifting Chess (docs/rules.md).
#include "rules/families/shifting.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "rules/board_position_impl.h"
#include "rules/square_board.h"
#include "rules/square_castling.h"
#include "rules/square_play.h"

namespace faultline {

namespace {

using enum PieceType;
using namespace square_board_sets;

constexpr std::uint32_t kGapsTag = zobrist::kFirstFamilyTag;

constexpr std::array<std::string_view, 4> kRowNames = {"I", "II", "III", "IV"};

/// The area with that name, or kAreas if there is none.
Area area_from_name(std::string_view name) {
  for (Area a = 0; a < kAreas; ++a)
    if (area_name(a) == name) return a;
  return kAreas;
}

/// A sector's slide into a gap.
struct Slide {
  Area from;
  Area to;
};

/// The slides into a pair of gaps: one area orthogonally, or two in a straight line over both.
class Slides {
 public:
  constexpr void add(int from, int to) {
    slides_[size_++] = {static_cast<Area>(from), static_cast<Area>(to)};
  }
  constexpr const Slide* begin() const { return slides_.data(); }
  constexpr const Slide* end() const { return slides_.data() + size_; }

 private:
  std::array<Slide, 10> slides_{};
  std::size_t size_ = 0;
};

/// The slides by the two gaps' indices, the lower first.
constexpr auto kSlides = [] {
  std::array<std::array<Slides, kAreas>, kAreas> all{};
  constexpr auto step = [](int area, int df, int dr) {
    const int column = area % 4 + df;
    const int row = area / 4 + dr;
    return column < 0 || column > 3 || row < 0 || row > 3 ? -1 : row * 4 + column;
  };
  for (int low = 0; low < kAreas; ++low)
    for (int high = low + 1; high < kAreas; ++high) {
      Slides& slides = all[static_cast<std::size_t>(low)][static_cast<std::size_t>(high)];
      for (const int gap : {low, high}) {
        const int other = gap == low ? high : low;
        for (const auto& [df, dr] :
             std::array<std::array<int, 2>, 4>{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}}) {
          const int next = step(gap, df, dr);
          if (next < 0) continue;
          if (next != other) {
            slides.add(next, gap);
          } else if (const int beyond = step(next, df, dr); beyond >= 0) {
            slides.add(beyond, gap);
          }
        }
      }
    }
  return all;
}();

const Slides& slides_into(Bitboard gaps) {
  const Area low = area_of(first(gaps));
  return kSlides[low][area_of(first(gaps & ~area_squares(low)))];
}

/// The set after everything on `from` has slid to `to`.
Bitboard slid(Bitboard b, Area from, Area to) {
  const Bitboard moving = b & area_squares(from);
  const int by = first_square(to) - first_square(from);
  return (b ^ moving) | (by > 0 ? moving << by : moving >> -by);
}

/// Slides a sector, and promotes pawns that it carries onto their last row to queens, which are
/// returned.
Bitboard slide(OrthodoxBoard& board, Area from, Area to) {
  board.transform([&](Bitboard b) { return slid(b, from, to); });
  return promote_carried(board, Colour::White) | promote_carried(board, Colour::Black);
}

std::uint64_t gaps_key(Bitboard gaps) {
  std::uint32_t areas = 0;
  for_each_square(gaps, [&](Square s) { areas |= 1U << area_of(s); });
  return zobrist::state(kGapsTag, areas);
}

std::vector<ShiftingVariant> all_variants() {
  std::vector<Area> allowed;  // by column, then row
  for (Area column = 0; column < 4; ++column)
    for (const Area row : {Area{1}, Area{2}})
      allowed.push_back(static_cast<Area>(row * 4 + column));
  std::vector<ShiftingVariant> variants;
  for (std::size_t i = 0; i < allowed.size(); ++i)
    for (std::size_t j = i + 1; j < allowed.size(); ++j)
      for (const bool knights_blocked : {false, true})
        variants.push_back({{allowed[i], allowed[j]}, knights_blocked});
  return variants;
}

}  // namespace

std::string area_name(Area a) {
  return static_cast<char>('A' + a % 4) + std::string(kRowNames[a / 4]);
}

std::string ShiftingVariant::canonical_name() const {
  const std::string value = area_name(gaps[0]) + "+" + area_name(gaps[1]);
  std::string text;
  if (value != ShiftingPosition::info().options.front().default_value) text = ":gaps=" + value;
  if (knights_blocked) text += (text.empty() ? ":" : ",") + std::string("knights=blocked");
  return "shifting" + text;
}

const FamilyInfo& ShiftingPosition::info() {
  static const FamilyInfo info = {
      .name = "shifting",
      .inventor = "David Howe",
      .summary =
          "The board is sixteen areas of four squares, two of them gaps into which sectors slide "
          "with the pieces on them.",
      .options = {{.name = "gaps",
                   .default_value = "BII+BIII",
                   .allowed = "two different ones of AII, AIII, BII, BIII, CII, CIII, DII, DIII, "
                              "joined by '+'",
                   .help = "the areas that are gaps at the start: column A to D (A is files a and "
                           "b), row I to IV (I is ranks 1 and 2)"},
                  {.name = "knights",
                   .default_value = "leap",
                   .allowed = "leap, blocked",
                   .help = "whether knights leap over gaps, or need one of their two paths of "
                           "king's steps to touch none; one always does, so that both are the "
                           "same game"}},
      .most_plies = 500};
  return info;
}

VariantDescription ShiftingPosition::describe(const Variant& variant) {
  return {
      .summary = info().summary,
      .rulings =
          {"Instead of moving a piece, slide a sector on which you have more pieces than your "
           "opponent one area orthogonally into a gap, or two in a straight line over both.",
           std::string("Nothing stands on a gap; riders, pawns and kings do not cross one, ") +
               (variant.knights_blocked ? "knights go around: one of the two paths of an "
                                          "orthogonal and a diagonal step "
                                          "always touches none."
                                        : "knights leap over."),
           "A shift may answer a check, and may not leave your king attacked.",
           "A pawn that a shift carries onto its last row becomes a queen at once, whoever shifts.",
           "A pawn on its owner's first or second row may advance two squares, moved or not; any "
           "double step can be answered en passant.",
           "A shift that carries a king or a rook counts as its move: it loses the right to "
           "castle.",
           "A shift counts towards the hundred plies without capture or pawn move."},
      .move_examples = "e2e4, CIII-BIII (a shift), e1g1 (castling), a7a8q (promotion)"};
}

const ShiftingVariant& ShiftingPosition::variant(const VariantName& name) {
  static const std::vector<ShiftingVariant> variants = all_variants();
  check_option_names(name, info());
  const OptionInfo& option = info().options.front();
  const bool blocked = choice_option(name, info(), "knights", {"leap", "blocked"}) == "blocked";
  const auto given = name.options.find(option.name);
  const std::string value = given == name.options.end() ? option.default_value : given->second;

  const std::size_t plus = std::min(value.find('+'), value.size());
  const Area first_gap = area_from_name(value.substr(0, plus));
  const Area second_gap =
      area_from_name(plus < value.size() ? value.substr(plus + 1) : std::string());
  for (const ShiftingVariant& v : variants)
    if (v.knights_blocked == blocked && ((v.gaps[0] == first_gap && v.gaps[1] == second_gap) ||
                                         (v.gaps[0] == second_gap && v.gaps[1] == first_gap)))
      return v;
  throw VariantError("shifting: gaps=" + quote(value) + " is not " + option.allowed);
}

ShiftingPosition ShiftingPosition::start(const Variant& variant) {
  const Bitboard gaps = area_squares(variant.gaps[0]) | area_squares(variant.gaps[1]);
  return from_fen(variant, orthodox_start_without(gaps) + " w KQkq - 0 1");
}

ShiftingPosition ShiftingPosition::from_fen(const Variant&, std::string_view fen) {
  const auto fields = split_fen(fen, kFenFields);
  FenPlacement placement;
  read_placement(fields[0], square_board_rows(), "PNBRQK", true, placement);
  ShiftingPosition p;
  p.set_pieces(placement, {last_row(Colour::White), last_row(Colour::Black)});
  for (Square s = 0; s < 64; ++s)
    if (placement.missing[s]) p.gaps_ |= square_set<Bitboard>(s);
  for (Area a = 0; a < kAreas; ++a) {
    const int missing = count(p.gaps_ & area_squares(a));
    if (missing != 0 && missing != 4)
      throw FenError("pieces", "area " + area_name(a) + " lacks " + std::to_string(missing) +
                                   " of its 4 squares; a gap ('*') is a whole area");
  }
  if (count(p.gaps_) != 8)
    throw FenError("pieces", std::to_string(count(p.gaps_) / 4) +
                                 " gaps of 2x2 squares ('*'); there are always two");
  p.side_ = read_side(fields[1]);
  p.castling_ = square_castling::read_rights(fields[2], p.board_);
  if (fields[3] != "-") {
    const Square s = p.named_en_passant(fields[3]);
    const Colour them = ~p.side_;
    require_step_over(p.board_, them, s, row_of(them, 1) | row_of(them, 2),
                      p.board_.occupied() | p.gaps_);
    p.offer_en_passant(s);
  }
  p.read_counters(fields[4], fields[5]);
  p.finish_reading();
  return p;
}

template <Colour us, class Sink>
void ShiftingPosition::generate_shifts(Square king, bool in_check, Sink& sink) const {
  constexpr Colour them = ~us;
  const AttackTables& tables = square_board_tables();
  const Bitboard blocked = board_.occupied() | gaps_;
  const Bitboard king_sees = tables.orthogonal(king, blocked) | tables.diagonal(king, blocked) |
                             square_set<Bitboard>(king);
  for (const Slide& s : slides_into(gaps_)) {
    const Bitboard sector = area_squares(s.from);
    const int own = count(board_.of(us) & sector);
    const int others = count(board_.of(them) & sector);
    if (own <= others) continue;
    // A sector without enemy pieces and off the king's lines cannot expose the king.
    if (in_check || others > 0 || (king_sees & (sector | area_squares(s.to)))) {
      OrthodoxBoard after = board_;
      slide(after, s.from, s.to);
      const Bitboard blocked_after = after.occupied() | (gaps_ ^ sector ^ area_squares(s.to));
      if (attackers(tables, after, after.king(us), them, blocked_after)) continue;
    }
    sink.move(Move(first_square(s.from), first_square(s.to), MoveKind::SectorShift));
  }
}

template <Colour us, class Sink>
void ShiftingPosition::generate(Sink& sink) const {
  const AttackTables& tables = square_board_tables();
  const Square king = board_.king(us);
  const auto view = view_of<us>(board_, gaps_, row_of(us, 0) | row_of(us, 1), last_row(us));
  CheckInfo<Bitboard> checks;
  find_check_info<us>(tables, board_, king, gaps_, checks);

  generate_king<us>(tables, board_, king, view, sink);
  generate_shifts<us>(king, any(checks.checkers), sink);
  if (!checks.check_mask) return;
  generate_pieces<us>(tables, board_, view, checks, sink);
  if (en_passant_ != kNoSquare)
    generate_en_passant<us>(tables, board_, view.occupied, en_passant_, ahead(~us, en_passant_, 1),
                            sink);
  if (castling_ && !checks.checkers)
    square_castling::generate<us>(tables, board_, castling_, view.occupied,
                                  [&](Move m) { sink.move(m); });
}

bool ShiftingPosition::shift_sector(Area from, Area to) {
  key_ ^= board_.key_of(area_squares(from)) ^ gaps_key(gaps_);
  const Bitboard promoted = slide(board_, from, to);
  gaps_ ^= area_squares(from) ^ area_squares(to);
  key_ ^= board_.key_of(area_squares(to)) ^ gaps_key(gaps_);
  return promoted != 0;
}

void ShiftingPosition::play(Move move) {
  set_en_passant(kNoSquare);
  if (move.kind() == MoveKind::SectorShift) {
    const bool promoted = shift_sector(area_of(move.from()), area_of(move.to()));
    keep_castling(square_castling::possible_rights(board_));
    end_turn(false, promoted);
    return;
  }
  const PiecePlayed played = play_piece(board_, key_, side_, move);
  if (move.kind() == MoveKind::DoubleStep) step_over(ahead(side_, move.from(), 1));
  keep_castling(square_castling::kept_after(move));
  end_turn(played.progress(), played.changed_pieces());
}

std::uint64_t ShiftingPosition::ground_key() const {
  return gaps_key(gaps_);
}

std::string ShiftingPosition::move_text(Move move) const {
  if (move.kind() == MoveKind::SectorShift)
    return area_name(area_of(move.from())) + "-" + area_name(area_of(move.to()));
  return BoardPosition::move_text(move);
}

std::string ShiftingPosition::picture() const {
  const std::string border = "   +-----+-----+-----+-----+\n";
  std::string text = "      A     B     C     D\n" + border;
  for (const auto& row : square_board_rows()) {
    const auto rank = static_cast<std::size_t>(row.front() / 8);
    text += " " + std::to_string(rank + 1) + " |";
    for (const Square s : row) {
      const Piece piece = board_.at(s);
      const char empty = contains(gaps_, s) ? ' ' : (s / 8 + s % 8) % 2 == 0 ? ':' : '.';
      text += std::string(" ") + (piece.exists() ? piece_letter(piece) : empty);
      if (s % 2 == 1) text += " |";
    }
    if (rank % 2 == 1) text += "  " + std::string(kRowNames[rank / 2]);
    text += "\n" + (rank % 2 == 0 ? border : std::string());
  }
  return text + "     a b   c d   e f   g h\n";
}

namespace {

constexpr double kSeam = 0.09;  // between sectors, to show what can move
constexpr double kPitch = 2 + kSeam;

/// The lower left corner of an area.
PicturePoint corner_of(Area a) {
  const int column = a % 4;
  const int row = a / 4;
  return {column * kPitch, row * kPitch};
}
PicturePoint middle_of_area(Area a) {
  return corner_of(a) + PicturePoint{1, 1};
}

}  // namespace

BoardPicture ShiftingPosition::board_picture() const {
  constexpr double kSide = 4 * kPitch - kSeam;
  constexpr double kAside = kPictureLabelDistance;
  using enum PictureLabel::Kind;
  BoardPicture picture;
  picture.levels.push_back({{{0, 0}, {kSide, kSide}}});
  for (Square s = 0; s < 64; ++s) {
    if (contains(gaps_, s)) continue;
    const PicturePoint in_sector = {static_cast<double>(s % 2), static_cast<double>(s / 8 % 2)};
    picture.add_square(s, square_name(s), 0, corner_of(area_of(s)) + in_sector,
                       checkered(s % 8, s / 8), board_.at(s));
  }
  for (Area a = 0; a < kAreas; ++a) {
    PicturePolygon outline = rectangle_at(corner_of(a), 2, 2);
    if (gaps_ & area_squares(a)) {
      picture.areas.push_back({PictureArea::Kind::Gap, area_name(a), 0, std::move(outline)});
      picture.labels.push_back({Caption, 0, area_name(a), middle_of_area(a)});
    } else {
      picture.marks.push_back({PictureMark::Kind::Sector, 0, std::move(outline)});
    }
  }
  for (Area i = 0; i < 4; ++i) {
    const double middle = i * kPitch + 1;
    const auto row = static_cast<std::size_t>(i);
    picture.labels.push_back(
        {Column, 0, std::string(1, static_cast<char>('A' + i)), {middle, kSide + kAside}});
    picture.labels.push_back({Row, 0, std::string(kRowNames[row]), {kSide + kAside, middle}});
    for (const int half : {0, 1}) {
      const double at = i * kPitch + half + 0.5;
      picture.labels.push_back(
          {File, 0, std::string(1, static_cast<char>('a' + 2 * i + half)), {at, -kAside}});
      picture.labels.push_back({Rank, 0, std::to_string(2 * i + half + 1), {-kAside, at}});
    }
  }
  mark_check(picture);
  return picture;
}

void ShiftingPosition::mark_move(Move move, BoardPicture& after) const {
  if (move.kind() != MoveKind::SectorShift) return BoardPosition::mark_move(move, after);
  const Area to = area_of(move.to());
  for_each_square(area_squares(to),
                  [&](Square s) { after.highlight(s, PictureHighlight::Kind::MoveTo); });
  // Across the edge crossed last, clear of the gap's name and of the pieces.
  const PicturePoint from = middle_of_area(area_of(move.from()));
  const PicturePoint end = middle_of_area(to);
  const double length = std::abs(end.x - from.x) + std::abs(end.y - from.y);
  const auto along = [&](double distance) { return between(from, end, distance / length); };
  after.marks.push_back({.kind = PictureMark::Kind::BoardMove,
                         .level = 0,
                         .points = {along(length - 1.45), along(length - 0.55)}});
}

BoardEffects ShiftingPosition::board_effects(Move move) const {
  BoardEffects effects;
  if (move.kind() != MoveKind::SectorShift) return effects;
  OrthodoxBoard after = board_;
  for_each_square(slide(after, area_of(move.from()), area_of(move.to())),
                  [&](Square s) { effects.add_carried_queen(square_name(s)); });
  return effects;
}

template class BoardPosition<ShiftingPosition, OrthodoxBoard, 1024>;
static_assert(Position<ShiftingPosition>);

}  // namespace faultline
