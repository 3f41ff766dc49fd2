// Board pictures: every square of every family exactly once, with its piece, not hidden.
#include "rules/board_picture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/families.h"
#include "tests/random_boards.h"

namespace faultline::test {
namespace {

constexpr double kTolerance = 1e-9;

double cross(PicturePoint a, PicturePoint b) {
  return a.x * b.y - a.y * b.x;
}

double area(const PicturePolygon& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i)
    twice += cross(polygon[i], polygon[(i + 1) % polygon.size()]);
  return std::abs(twice) / 2;
}

/// The minimum cross product of adjacent edges of a polygon, signed so that a convex polygon of
/// either orientation gives a positive number.
bool is_convex(const PicturePolygon& polygon) {
  int left = 0;
  int right = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const PicturePoint a = polygon[i];
    const PicturePoint b = polygon[(i + 1) % polygon.size()];
    const PicturePoint c = polygon[(i + 2) % polygon.size()];
    (cross(b - a, c - b) > 0 ? left : right) += 1;
  }
  return left == 0 || right == 0;
}

bool holds(const PicturePolygon& polygon, PicturePoint point) {
  int left = 0;
  int right = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const PicturePoint a = polygon[i];
    const double side = cross(polygon[(i + 1) % polygon.size()] - a, point - a);
    if (side > kTolerance) ++left;
    if (side < -kTolerance) ++right;
  }
  return left == 0 || right == 0;
}

/// Convex polygons are disjoint if the normal of one of their edges separates them.
bool overlap(const PicturePolygon& a, const PicturePolygon& b) {
  for (const PicturePolygon* edges : {&a, &b})
    for (std::size_t i = 0; i < edges->size(); ++i) {
      const PicturePoint edge = (*edges)[(i + 1) % edges->size()] - (*edges)[i];
      const auto shadow = [&](const PicturePolygon& polygon) {
        std::vector<double> along;
        for (const PicturePoint p : polygon)
          along.push_back(cross(edge, p));
        return std::pair{*std::ranges::min_element(along), *std::ranges::max_element(along)};
      };
      const auto [low_a, high_a] = shadow(a);
      const auto [low_b, high_b] = shadow(b);
      if (high_a <= low_b + kTolerance || high_b <= low_a + kTolerance) return false;
    }
  return true;
}

bool holds(const PictureBox& box, PicturePoint p) {
  return p.x >= box.low.x - kTolerance && p.x <= box.high.x + kTolerance &&
         p.y >= box.low.y - kTolerance && p.y <= box.high.y + kTolerance;
}

struct Point {
  std::string name;
  int level;
  const PicturePolygon* polygon;
};

/// Properties that every picture must have.
void expect_sound(const BoardPicture& picture) {
  std::vector<Point> places;
  std::set<std::string> names;
  for (const PictureSquare& square : picture.squares) {
    places.push_back({square.name, square.level, &square.polygon});
    ASSERT_TRUE(holds(square.polygon, square.centre)) << square.name;
  }
  for (const PictureArea& place : picture.areas)
    places.push_back({place.name, place.level, &place.polygon});

  std::vector<PictureBox> drawn;
  for (const PictureLevel& level : picture.levels)
    drawn.push_back({level.box.high, level.box.low});
  for (const Point& place : places) {
    ASSERT_TRUE(names.insert(place.name).second) << place.name << " twice";
    ASSERT_LT(static_cast<std::size_t>(place.level), picture.levels.size()) << place.name;
    ASSERT_TRUE(is_convex(*place.polygon)) << place.name;
    ASSERT_GT(area(*place.polygon), 0.5) << place.name;
    const auto level = static_cast<std::size_t>(place.level);
    for (const PicturePoint p : *place.polygon) {
      ASSERT_TRUE(holds(picture.levels[level].box, p)) << place.name;
      drawn[level] = drawn[level].with(p);
    }
  }
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t j = i + 1; j < places.size(); ++j) {
      // Distant pairs need no test.
      const PicturePoint apart = middle_of(*places[i].polygon) - middle_of(*places[j].polygon);
      if (std::abs(apart.x) > 3 || std::abs(apart.y) > 3) continue;
      ASSERT_FALSE(overlap(*places[i].polygon, *places[j].polygon))
          << places[i].name << " and " << places[j].name;
    }
  for (std::size_t i = 0; i < picture.levels.size(); ++i) {
    const PictureBox& box = picture.levels[i].box;
    EXPECT_TRUE(holds(drawn[i], box.low) && holds(drawn[i], box.high)) << "the box is too wide";
  }
  for (const PictureInset& inset : picture.insets) {
    const auto above = std::ranges::count_if(picture.areas, [&](const PictureArea& hole) {
      return hole.level == inset.level && holds(hole.polygon, middle_of(inset.polygon));
    });
    ASSERT_EQ(above, 1) << "an inset is below one square of a hole";
    if (inset.square == kNoSquare) continue;
    const PictureSquare* square = picture.find(inset.square);
    ASSERT_NE(square, nullptr);
    ASSERT_EQ(square->piece, inset.piece) << square->name;
    ASSERT_EQ(square->level, inset.level + 1) << square->name;
  }
  for (const PictureHighlight& highlight : picture.highlights)
    ASSERT_NE(picture.find(highlight.square), nullptr);
}

/// Compares each square with the position and with the pieces field of its text.
template <class P>
void expect_shows(const BoardPicture& picture, const P& position) {
  const std::string fen = position.fen();
  SCOPED_TRACE(fen);
  std::set<Square> seen;
  std::map<char, int> drawn;
  for (const PictureSquare& square : picture.squares) {
    ASSERT_TRUE(seen.insert(square.square).second) << square.name << " twice";
    ASSERT_EQ(square.piece, position.piece_at(square.square)) << square.name;
    if (square.piece.exists())
      ++drawn[piece_letter(square.piece, picture.kind({PieceType::Pawn}).letter.front())];
  }
  std::map<char, int> written;
  std::size_t squares = 0;
  for (std::size_t i = 0; fen[i] != ' '; ++i) {
    if (reference::is_piece(fen[i])) ++written[fen[i]];
    if (reference::is_piece(fen[i])) ++squares;
    if (fen[i] < '0' || fen[i] > '9') continue;
    std::size_t length = 0;
    squares += std::stoul(fen.substr(i), &length);
    i += length - 1;
  }
  EXPECT_EQ(drawn, written);
  const auto holes = std::ranges::count(picture.areas, PictureArea::Kind::Hole, &PictureArea::kind);
  EXPECT_EQ(picture.squares.size() + static_cast<std::size_t>(holes), squares);
  const auto checks = std::ranges::count(picture.highlights, PictureHighlight::Kind::Check,
                                         &PictureHighlight::kind);
  EXPECT_EQ(checks > 0, position.in_check());
}

template <class P>
class Pictures : public testing::Test {};
TYPED_TEST_SUITE(Pictures, EveryFamily);

TYPED_TEST(Pictures, ShowEverySquareOnceWithItsPieceWithoutOverlap) {
  using P = TypeParam;
  Random rng(11);
  for (const std::string& name : option_sets<P>()) {
    SCOPED_TRACE(name);
    const auto& v = variant<P>(name);
    for (int game = 0; game < 6; ++game) {
      P position = game % 2 == 0 ? P::start(v) : sparse_position<P>(v, rng);
      for (int ply = 0; ply < 30; ++ply) {
        const BoardPicture picture = position.board_picture();
        if (ply % 6 == 0) {
          ASSERT_NO_FATAL_FAILURE(expect_sound(picture));
          ASSERT_NO_FATAL_FAILURE(expect_sound(seen_from_black(picture)));
        }
        ASSERT_NO_FATAL_FAILURE(expect_shows(picture, position));
        typename P::MoveList moves;
        position.legal_moves(moves);
        if (moves.empty()) break;
        const Move move = random_move(moves, false, rng);
        P next = position;
        next.play(move);
        BoardPicture after = next.board_picture();
        position.mark_move(move, after);
        for (const PictureHighlight& highlight : after.highlights) {
          ASSERT_NE(after.find(highlight.square), nullptr) << position.move_text(move);
        }
        position = next;
      }
    }
  }
}

TYPED_TEST(Pictures, SeenFromBlackTwiceAreTheSame) {
  using P = TypeParam;
  for (const std::string& name : option_sets<P>()) {
    const BoardPicture picture = P::start(variant<P>(name)).board_picture();
    const BoardPicture once = seen_from_black(picture);
    const BoardPicture twice = seen_from_black(once);
    ASSERT_EQ(twice.squares.size(), picture.squares.size());
    int changed = 0;
    for (std::size_t i = 0; i < picture.squares.size(); ++i) {
      EXPECT_NEAR(twice.squares[i].centre.x, picture.squares[i].centre.x, kTolerance) << name;
      EXPECT_NEAR(twice.squares[i].centre.y, picture.squares[i].centre.y, kTolerance) << name;
      changed += once.squares[i].centre != picture.squares[i].centre ? 1 : 0;
    }
    EXPECT_GT(changed, 0) << name;
  }
}

/// The squares whose lower edge overlaps the upper edge of `square` in more than a corner.
std::set<std::string> touching_ahead(const BoardPicture& picture, const PictureSquare& square) {
  std::set<std::string> found;
  const auto& upper = square.polygon;  // its corners 3 and 2, left and right
  for (const PictureSquare& other : picture.squares) {
    const auto& lower = other.polygon;  // its corners 0 and 1
    const double shared = std::min(upper[2].x, lower[1].x) - std::max(upper[3].x, lower[0].x);
    if (std::abs(upper[3].y - lower[0].y) < kTolerance && shared > kTolerance)
      found.insert(other.name);
  }
  return found;
}

TEST(SlantedPicture, SquaresThatTouchAheadAreThoseLinkedAhead) {
  for (const std::string name : {"slanted", "slanted:board=standard", "slanted:board=mini"}) {
    const SlantedVariant& v = variant<SlantedPosition>(name);
    const BoardPicture picture = SlantedPosition::start(v).board_picture();
    int forks = 0;
    for (const PictureSquare& square : picture.squares) {
      std::set<std::string> linked;
      for (const Square ahead : v.board().graph().neighbours(square.square, Direction::N))
        linked.insert(v.board().name(ahead));
      EXPECT_EQ(touching_ahead(picture, square), linked) << name << " " << square.name;
      forks += linked.size() == 2 ? 1 : 0;
    }
    EXPECT_EQ(forks, 2 * (v.board().grid().escalators - 1)) << name;
  }
}

TEST(EarthquakePicture, SquaresFollowTheirHalf) {
  const auto& v = variant<EarthquakePosition>("earthquake:dx=-2,dy=1,aftershock=1");
  EarthquakePosition position = EarthquakePosition::start(v);
  const auto corner = [&](Square s) {
    return position.board_picture().find(s)->centre - PicturePoint{0.5, 0.5};
  };
  EXPECT_EQ(corner(0), (PicturePoint{-2, 1}));
  EXPECT_EQ(corner(63), (PicturePoint{7, 7}));
  EXPECT_EQ(position.board_picture().find(32), nullptr) << "a5 is covered";
  position.play(*position.parse_move("@-1"));
  EXPECT_EQ(corner(0), (PicturePoint{-3, 1}));
  EXPECT_EQ(corner(63), (PicturePoint{7, 7}));
}

TEST(EarthquakePicture, AnAftershockIsShownAsAMovementOfTheLowerHalf) {
  const auto& v = variant<EarthquakePosition>("earthquake:aftershock=1,shock=2,axis=both");
  const auto shown = [&](const std::string& text) -> PicturePoint {
    const EarthquakePosition before = EarthquakePosition::start(v);
    EarthquakePosition after = before;
    const Move move = *before.parse_move(text);
    after.play(move);
    BoardPicture picture = after.board_picture();
    before.mark_move(move, picture);
    const auto mark =
        std::ranges::find(picture.marks, PictureMark::Kind::BoardMove, &PictureMark::kind);
    return mark == picture.marks.end() ? PicturePoint{}
                                       : mark->points.back() - mark->points.front();
  };
  EXPECT_EQ(shown("@-2"), (PicturePoint{-2, 0}));
  EXPECT_EQ(shown("@^2"), (PicturePoint{0, 2}));
}

TEST(EscherPicture, MarksTheStaircasesThatAMoveSetInMotion) {
  EscherPosition position = EscherPosition::start({});
  for (const char* text : {"e2e4", "e7e5", "f1c4", "c7c5"})
    position.play(*position.parse_move(text));
  const EscherPosition before = position;
  const Move move = *position.parse_move("c3a5");
  position.play(move);
  BoardPicture picture = position.board_picture();
  ASSERT_EQ(picture.marks.size(), 8U);
  before.mark_move(move, picture);
  // c3 is on row 3 and on column c.
  const auto moved = std::ranges::count(picture.marks, true, &PictureMark::moved);
  EXPECT_EQ(moved, 2);
  for (const PictureMark& mark : picture.marks)
    EXPECT_EQ(mark.moved,
              mark.points == EscherPosition::start({}).board_picture().marks[2].points ||
                  mark.points.front() == picture.find(58)->centre);
}

TEST(EscherPicture, ThePieceIsShownWhereItWasCarried) {
  const EscherPosition before = EscherPosition::start({});
  EscherPosition after = before;
  const Move move = *before.parse_move("a2a3");  // column a carries it on to a4
  after.play(move);
  ASSERT_EQ(after.piece_at(24), (Piece{PieceType::Pawn, Colour::White}));
  BoardPicture picture = after.board_picture();
  before.mark_move(move, picture);
  const auto to = std::ranges::find(picture.highlights, PictureHighlight::Kind::MoveTo,
                                    &PictureHighlight::kind);
  ASSERT_NE(to, picture.highlights.end());
  EXPECT_EQ(to->square, 24);
}

TEST(ShiftingPicture, GapsAreWhereTheShiftLeftThem) {
  const ShiftingPosition before = ShiftingPosition::start(variant<ShiftingPosition>("shifting"));
  ShiftingPosition after = before;
  const Move move = *before.parse_move("BI-BII");
  after.play(move);
  BoardPicture picture = after.board_picture();
  before.mark_move(move, picture);
  std::set<std::string> gaps;
  for (const PictureArea& place : picture.areas)
    gaps.insert(place.name);
  EXPECT_EQ(gaps, (std::set<std::string>{"BI", "BIII"}));
  std::set<std::string> carried;
  for (const PictureHighlight& highlight : picture.highlights)
    carried.insert(picture.find(highlight.square)->name);
  EXPECT_EQ(carried, (std::set<std::string>{"c3", "d3", "c4", "d4"}));
}

TEST(InfernoPicture, AHoleShowsTheLevelBelowAndDeeperHoles) {
  const auto picture =
      InfernoPosition::start(variant<InfernoPosition>("inferno:levels=3")).board_picture();
  EXPECT_EQ(picture.levels.size(), 3U);
  EXPECT_EQ(picture.areas.size(), 32U);
  EXPECT_EQ(picture.insets.size(), 128U);
  EXPECT_EQ(std::ranges::count(picture.insets, kNoSquare, &PictureInset::square), 16);
  // 2c1, 2d1, 2c2 and 2d2 are below 1d3.
  const auto hole = std::ranges::find(picture.areas, "1d3", &PictureArea::name);
  ASSERT_NE(hole, picture.areas.end());
  std::set<std::string> below;
  for (const PictureInset& inset : picture.insets)
    if (inset.level == 0 && holds(hole->polygon, middle_of(inset.polygon)))
      below.insert(picture.find(inset.square)->name);
  EXPECT_EQ(below, (std::set<std::string>{"2c1", "2c2", "2d1", "2d2"}));
}

TEST(InfernoPicture, ShowsHowManyLevelsAreLeft) {
  const auto& v = variant<InfernoPosition>("inferno");
  const std::string level = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
  const auto picture =
      InfernoPosition::from_fen(v, level + "|" + level + " w KQkq|KQkq - 0 1").board_picture();
  EXPECT_EQ(picture.levels.size(), 2U);
  EXPECT_EQ(std::ranges::count(picture.labels, "2 of 5 levels left", &PictureLabel::text), 1);
}

}  // namespace
}  // namespace faultline::test
