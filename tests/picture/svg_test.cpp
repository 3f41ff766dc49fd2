// SVG pictures: well-formed, complete, inside their frame, and those in docs/ up to date.
#include "picture/svg.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "picture/piece_shapes.h"
#include "rules/piece_drawings.h"
#include "tests/families.h"
#include "tests/picture/xml.h"
#include "tests/random_boards.h"

namespace faultline::test {
namespace {

/// "x,y x,y …"
std::vector<PicturePoint> points_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<PicturePoint> points;
  PicturePoint p;
  char comma = 0;
  while (in >> p.x >> comma >> p.y)
    points.push_back(p);
  return points;
}

template <class P>
class Svg : public testing::Test {};
template <class Tuple>
struct AsTypes;
template <class... P>
struct AsTypes<std::tuple<P...>> {
  using type = testing::Types<P...>;
};
using AllFamilies = typename AsTypes<CompiledFamilies>::type;
TYPED_TEST_SUITE(Svg, AllFamilies);

/// All squares and pieces of `picture` are drawn, once, inside the frame; every reference is
/// defined.
void expect_complete(const BoardPicture& picture) {
  const XmlElement svg = XmlReader(board_svg(picture)).read();
  ASSERT_EQ(svg.name, "svg");
  std::istringstream frame(svg.attribute("viewBox"));
  double x = 0, y = 0, width = 0, height = 0;
  ASSERT_TRUE(frame >> x >> y >> width >> height);
  std::map<std::string, std::string> pieces;  // by square
  std::set<std::string> squares, defined, used;
  for (const XmlElement* element : svg.all()) {
    const std::string square = element->attribute("data-square");
    if (const std::string id = element->attribute("id"); !id.empty()) {
      ASSERT_TRUE(defined.insert(id).second) << id;
    }
    if (element->name == "use") used.insert(element->attribute("href").substr(1));
    if (element->attribute("class") == "piece") {
      ASSERT_TRUE(pieces.emplace(square, element->attribute("data-piece")).second) << square;
    }
    if (element->attribute("class") == "square") {
      ASSERT_TRUE(squares.insert(square).second) << square;
    }
    for (const PicturePoint p : points_of(element->attribute("points"))) {
      ASSERT_TRUE(p.x > 0 && p.x < width && p.y > 0 && p.y < height) << element->name;
    }
    if (element->name == "text") {
      // Generous, since the font is unknown: text must not be clipped.
      const double size = std::stod(element->attribute("font-size"));
      const double half = 0.3 * size * static_cast<double>(element->text.size());
      const bool centred = element->attribute("text-anchor") == "middle";
      const double at = std::stod(element->attribute("x"));
      ASSERT_GT(at - (centred ? half : 0), 0) << element->text;
      ASSERT_LT(at + (centred ? half : 2 * half), width) << element->text;
      const double base = std::stod(element->attribute("y"));
      ASSERT_TRUE(base - size > 0 && base + 0.2 * size < height) << element->text;
    }
  }
  for (const std::string& id : used)
    ASSERT_TRUE(defined.contains(id)) << id;
  ASSERT_EQ(squares.size(), picture.squares.size());
  std::size_t expected = 0;
  for (const PictureSquare& square : picture.squares) {
    ASSERT_TRUE(squares.contains(square.name)) << square.name;
    if (!square.piece.exists()) continue;
    ++expected;
    ASSERT_EQ(
        pieces[square.name],
        std::string(1, piece_letter(square.piece, picture.kind({PieceType::Pawn}).letter.front())))
        << square.name;
  }
  ASSERT_EQ(pieces.size(), expected);
}

TYPED_TEST(Svg, HasEverySquareAndPieceInsideItsFrame) {
  using P = TypeParam;
  Random rng(5);
  for (const std::string& name : option_sets<P>()) {
    SCOPED_TRACE(name);
    const auto& v = variant<P>(name);
    for (int game = 0; game < 3; ++game) {
      P position = game == 0 ? P::start(v) : sparse_position<P>(v, rng);
      for (int ply = 0; ply < 6; ++ply) {
        typename P::MoveList moves;
        position.legal_moves(moves);
        if (moves.empty()) break;
        const Move move = moves[rng() % moves.size()];
        P next = position;
        next.play(move);
        BoardPicture picture = next.board_picture();
        position.mark_move(move, picture);
        SCOPED_TRACE(next.fen());
        ASSERT_NO_FATAL_FAILURE(expect_complete(picture));
        ASSERT_NO_FATAL_FAILURE(expect_complete(seen_from_black(picture)));
        position = next;
      }
    }
  }
}

TYPED_TEST(Svg, OfTheSamePositionIsIdentical) {
  using P = TypeParam;
  const auto& v = variant<P>(P::info().name);
  EXPECT_EQ(board_svg(P::start(v).board_picture()), board_svg(P::start(v).board_picture()));
}

TEST(SvgText, IsEscaped) {
  BoardPicture picture = ChessPosition::start({}).board_picture();
  const std::string nasty = "<script>&\"'\x01\xff";
  picture.labels.front().text = nasty;
  const XmlElement svg = XmlReader(board_svg(picture, {.title = nasty})).read();
  int found = 0;
  for (const XmlElement* element : svg.all()) {
    EXPECT_NE(element->name, "script");
    found += element->text == "<script>&\"'??" ? 1 : 0;
  }
  EXPECT_EQ(found, 2) << "as title and as label";
}

TEST(SvgText, ShowsTheLastMoveAndTheCheck) {
  const auto count_class = [](const BoardPicture& picture, const std::string& name) {
    const XmlElement svg = XmlReader(board_svg(picture)).read();
    int found = 0;
    for (const XmlElement* element : svg.all())
      found += element->attribute("class") == name ? 1 : 0;
    return found;
  };
  const ChessPosition before = ChessPosition::from_fen({}, "4k3/8/8/8/8/8/8/3RK3 w - - 0 1");
  EXPECT_EQ(count_class(before.board_picture(), "check"), 0);
  EXPECT_EQ(count_class(before.board_picture(), "last-move"), 0);
  ChessPosition after = before;
  const Move move = *before.parse_move("d1d8");
  after.play(move);
  BoardPicture picture = after.board_picture();
  before.mark_move(move, picture);
  EXPECT_EQ(count_class(picture, "check"), 1);
  EXPECT_EQ(count_class(picture, "last-move"), 2);
}

std::string shape_of(const PieceKind& kind) {
  std::string shape;
  for (const PiecePart& part : piece_parts(kind))
    shape += part.path;
  return shape;
}
PieceKind named(const std::string& name, const std::string& letter = "X") {
  return {.letter = letter, .name = name, .drawing = name, .value = 0, .like = PieceType::None};
}

TEST(PieceShapes, EveryDrawingIsOneOfItsOwn) {
  std::set<std::string> shapes = {shape_of(named("quibble"))};
  for (const std::string_view drawing : piece_drawings())
    EXPECT_TRUE(shapes.insert(shape_of(named(std::string(drawing)))).second) << drawing;
  for (const char pawn : {'P', 'C'})
    for (const PieceKind& kind : compiled_piece_kinds(pawn))
      EXPECT_TRUE(is_piece_drawing(kind.drawing)) << kind.name;
}

TEST(PieceShapes, WhatHasNoDrawingIsItsLetter) {
  std::set<std::string> shapes = {""};
  for (char letter = 'A'; letter <= 'Z'; ++letter)
    for (const std::string& text : {std::string(1, letter), std::string{'+', letter}})
      EXPECT_TRUE(shapes.insert(shape_of(named("quibble", text))).second) << text;
}

TEST(PieceShapes, PiecesAreDrawnAsOthersThatAreAlike) {
  EXPECT_EQ(shape_of(named("chariot")), shape_of(named("rook")));
  EXPECT_EQ(shape_of(named("horse", "N")), shape_of(named("knight")));
  EXPECT_NE(shape_of(named("dragon", "+R")), shape_of(named("rook")));  // marked as promoted
  EXPECT_EQ(look_of(named("horse", "+B")).drawing, "bishop");
  EXPECT_EQ(look_of(named("promoted silver", "+S")).drawing, "silver");
  PieceKind general = named("general", "K");
  EXPECT_EQ(look_of(general).drawing, "");
  general.like = PieceType::King;
  EXPECT_EQ(look_of(general).drawing, "king");
}

/// A picture in docs/pictures: the variant, and moves from its start.
struct DocumentPicture {
  std::string file;
  std::string variant;
  std::vector<std::string> moves;
};

std::string drawn(const DocumentPicture& wanted) {
  return with_family(parse_variant_name(wanted.variant),
                     [&]<class P>(std::type_identity<P>, const typename P::Variant& v) {
                       P position = P::start(v);
                       BoardPicture picture = position.board_picture();
                       for (const std::string& text : wanted.moves) {
                         const P before = position;
                         const Move move = position.parse_move(text).value();
                         position.play(move);
                         picture = position.board_picture();
                         before.mark_move(move, picture);
                       }
                       return board_svg(picture, {.square_size = 48, .title = wanted.variant});
                     });
}

TEST(DocumentPictures, AreUpToDate) {
  const std::vector<DocumentPicture> wanted = {
      {"escher.svg", "escher", {"e2e4", "e7e5", "f1c4", "c7c5", "c3a5"}},
      {"slanted.svg", "slanted:army=sort-of-almost", {"b2ab4", "c8b7"}},
      {"earthquake.svg", "earthquake:dx=2,dy=1,aftershock=2", {"e2e4", "@-1"}},
      {"inferno.svg", "inferno:levels=3", {"1c2-2b3"}},
      {"shifting.svg", "shifting", {"BI-BII", "g8f6", "g1f3"}}};
  const std::string folder = FAULTLINE_SOURCE_DIR "/docs/pictures/";
  for (const DocumentPicture& picture : wanted) {
    if (std::getenv("FAULTLINE_REDRAW") != nullptr) {
      std::ofstream(folder + picture.file, std::ios::binary) << drawn(picture);
      continue;
    }
    std::ifstream file(folder + picture.file, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_TRUE(text.str() == drawn(picture))
        << folder << picture.file << " is stale; redraw all with FAULTLINE_REDRAW=1 picture_test";
  }
}

}  // namespace
}  // namespace faultline::test
