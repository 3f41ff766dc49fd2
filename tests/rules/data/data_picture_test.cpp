// Pictures, marks and effects of games from files: the same as those of the families that are
// compiled, and what only files have.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rules/data/board_layout.h"
#include "rules/data/data_position.h"
#include "rules/data/game_picture.h"
#include "rules/families.h"

namespace faultline::data {
namespace {

const std::string kFolder = FAULTLINE_SOURCE_DIR "/games/";

GameFile game_file(const std::string& name) {
  const LoadedGame loaded = load_game_file(kFolder + name + ".toml");
  EXPECT_TRUE(loaded.game) << loaded.errors();
  return loaded.game ? *loaded.game : GameFile{};
}

std::string text_of(double number) {
  return std::to_string(std::lround(number * 1000));
}
std::string text_of(PicturePoint point) {
  return "(" + text_of(point.x) + "," + text_of(point.y) + ")";
}
std::string text_of(const std::vector<PicturePoint>& points) {
  std::string text;
  for (const PicturePoint point : points)
    text += text_of(point);
  return text;
}
template <class Enum>
std::string number_of(Enum kind) {
  return std::to_string(static_cast<int>(kind));
}

/// All that is drawn, in no order. `letter(piece)`: as a FEN writes it.
template <class Letter>
std::multiset<std::string> contents(const BoardPicture& picture, Letter&& letter) {
  std::multiset<std::string> all;
  const auto piece = [&](Piece p) { return p.exists() ? letter(p) : std::string("-"); };
  for (const PictureLevel& level : picture.levels)
    all.insert("level " + text_of(level.box.low) + text_of(level.box.high));
  for (const PictureSquare& s : picture.squares)
    all.insert("square " + std::to_string(s.square) + " " + s.name + " " + std::to_string(s.level) +
               text_of(s.polygon) + text_of(s.centre) + number_of(s.shade) + piece(s.piece));
  for (const PictureArea& a : picture.areas)
    all.insert("area " + number_of(a.kind) + a.name + " " + std::to_string(a.level) +
               text_of(a.polygon) + number_of(a.shade));
  for (const PictureInset& i : picture.insets)
    all.insert("inset " + std::to_string(i.square) + " " + std::to_string(i.level) +
               text_of(i.polygon) + number_of(i.shade) + piece(i.piece));
  for (const PictureMark& m : picture.marks)
    all.insert("mark " + number_of(m.kind) + " " + std::to_string(m.level) + text_of(m.points) +
               (m.moved ? " moved" : ""));
  for (const PictureLabel& l : picture.labels)
    all.insert("label " + number_of(l.kind) + " " + std::to_string(l.level) + l.text +
               text_of(l.at) + (l.turns_with_board ? " turns" : ""));
  for (const PictureHighlight& h : picture.highlights)
    all.insert("highlight " + std::to_string(h.square) + " " + number_of(h.kind));
  return all;
}

template <class D>
std::multiset<std::string> contents_of(const D& position, const BoardPicture& picture) {
  return contents(picture, [&](Piece piece) {
    std::string letter =
        position.game().file().pieces[static_cast<std::size_t>(index(piece.type))].letter;
    if (piece.colour == Colour::Black)
      letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter[0])));
    return letter;
  });
}

struct SameGame {
  std::string file;
  std::string variant;
};
void PrintTo(const SameGame& game, std::ostream* out) {
  *out << game.variant;
}

class PicturesOfFamily : public testing::TestWithParam<SameGame> {};

TEST_P(PicturesOfFamily, AreTheSameForItsFile) {
  const VariantName variant = parse_variant_name(GetParam().variant);
  const char pawn = variant.family == "slanted" ? 'C' : 'P';
  const auto compiled_letter = [&](Piece piece) {
    return std::string(1, piece_letter(piece, pawn));
  };
  std::mt19937_64 random(44);
  int positions = 0, effects = 0;
  with_tables(game_file(GetParam().file), [&]<class B>(const GameTables<B>& game) {
    with_family(variant, [&]<class C>(std::type_identity<C>, const typename C::Variant& v) {
      for (int i = 0; i < 10 && !testing::Test::HasFailure(); ++i) {
        C compiled = C::start(v);
        auto data = DataPosition<B>::from_fen(game, compiled.fen());
        EXPECT_EQ(contents_of(data, data.board_picture()),
                  contents(compiled.board_picture(), compiled_letter));
        for (int ply = 0; ply < 100 && !testing::Test::HasFailure(); ++ply) {
          typename C::MoveList moves;
          compiled.legal_moves(moves);
          if (is_over(compiled.outcome(!moves.empty()))) break;
          Move move = moves[random() % moves.size()];
          for (const Move special : moves)  // these are rare
            if ((special.kind() != MoveKind::Normal && random() % 8 == 0) ||
                (variant.family == "inferno" && !compiled.board_effects(special).marks.empty()))
              move = special;
          const auto same = data.parse_move(compiled.move_text(move));
          ASSERT_TRUE(same) << compiled.fen() << " " << compiled.move_text(move);
          SCOPED_TRACE(compiled.fen() + " " + compiled.move_text(move));
          const BoardEffects expected = compiled.board_effects(move);
          const BoardEffects found = data.board_effects(*same);
          EXPECT_EQ(found.marks, expected.marks);
          EXPECT_EQ(found.announcement, expected.announcement);
          effects += expected.marks.empty() ? 0 : 1;
          const C before = compiled;
          const auto data_before = data;
          compiled.play(move);
          data.play(*same);
          BoardPicture compiled_picture = compiled.board_picture();
          BoardPicture picture = data.board_picture();
          before.mark_move(move, compiled_picture);
          data_before.mark_move(*same, picture);
          EXPECT_EQ(contents_of(data, picture), contents(compiled_picture, compiled_letter));
          ++positions;
        }
      }
    });
  });
  EXPECT_GT(positions, 300);
  if (variant.family == "escher" || variant.family == "inferno") {
    EXPECT_GT(effects, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Data, PicturesOfFamily,
                         testing::Values(SameGame{"chess", "chess"}, SameGame{"gardner", "gardner"},
                                         SameGame{"escher", "escher"},
                                         SameGame{"shifting", "shifting"},
                                         SameGame{"earthquake", "earthquake"},
                                         SameGame{"slanted-ultra", "slanted"},
                                         SameGame{"slanted-standard", "slanted:board=standard"},
                                         SameGame{"slanted-mini", "slanted:board=mini"},
                                         SameGame{"inferno2", "inferno:levels=2"},
                                         SameGame{"inferno3", "inferno:levels=3"}),
                         [](const auto& game) {
                           std::string name = game.param.file;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

/// f(position) at the position of a game's file, the start for "".
template <class F>
void at_position(const std::string& file, const std::string& fen, F&& f) {
  with_tables(game_file(file), [&]<class B>(const GameTables<B>& game) {
    f(fen.empty() ? DataPosition<B>::start(game) : DataPosition<B>::from_fen(game, fen));
  });
}

std::vector<std::string> notes_of(const BoardPicture& picture) {
  std::vector<std::string> notes;
  for (const PictureLabel& label : picture.labels)
    if (label.kind == PictureLabel::Kind::Note) notes.push_back(label.text);
  return notes;
}

TEST(DataPicture, TellsWhatIsInTheHands) {
  at_position("crazyhouse", "rnbqkbnr/pppp1ppp/8/8/8/8/PPPP1PPP/RNBQKBNR[PPNq] w KQkq - 0 1",
              [](const auto& p) {
                EXPECT_EQ(notes_of(p.board_picture()),
                          (std::vector<std::string>{"White's hand: knight, 2 pawns",
                                                    "Black's hand: queen"}));
              });
}

TEST(DataPicture, HighlightsOnlyTheSquareOfADrop) {
  at_position("crazyhouse", "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", [](auto p) {
    const auto move = p.parse_move("N@d5");
    ASSERT_TRUE(move);
    const auto before = p;
    p.play(*move);
    BoardPicture picture = p.board_picture();
    before.mark_move(*move, picture);
    ASSERT_EQ(picture.highlights.size(), 1U);
    EXPECT_EQ(p.square_text(picture.highlights[0].square), "d5");
  });
}

TEST(DataPicture, CountsChecks) {
  at_position("three-check", "4k3/8/8/8/8/8/8/4K2R w - - 1+3 0 1", [](const auto& p) {
    EXPECT_EQ(notes_of(p.board_picture()),
              std::vector<std::string>{"checks given: White 2 of 3 and Black 0 of 3"});
  });
}

TEST(DataPicture, SaysWhatExplodes) {
  at_position("atomic", "4k3/8/2n1p3/3r4/8/8/3R4/4K3 w - - 0 1", [](const auto& p) {
    const auto move = p.parse_move("d2d5");
    ASSERT_TRUE(move);
    EXPECT_EQ(p.board_effects(*move).announcement, "Blown up with the captor: black knight on c6.");
  });
}

TEST(DataPicture, MarksTheRingThatAMoveTurns) {
  at_position("carousel", "", [](auto p) {
    const auto move = p.parse_move("e2e4");
    ASSERT_TRUE(move);
    EXPECT_EQ(p.board_effects(*move).marks, std::vector<std::string>{"ring"});
    const auto before = p;
    p.play(*move);
    BoardPicture picture = p.board_picture();
    before.mark_move(*move, picture);
    const auto ring = std::find_if(picture.marks.begin(), picture.marks.end(), [](const auto& m) {
      return m.kind == PictureMark::Kind::Staircase;
    });
    ASSERT_NE(ring, picture.marks.end());
    EXPECT_TRUE(ring->moved);
    EXPECT_EQ(p.square_text(picture.highlights.back().square), "d4");  // carried on
  });
}

TEST(DataPicture, DrawsEachShippedGame) {
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path().stem().string());
    at_position(entry.path().stem().string(), "", [](const auto& p) {
      const BoardPicture picture = p.board_picture();
      std::set<std::pair<double, double>> centres;
      std::size_t pieces = 0;
      for (const PictureSquare& square : picture.squares) {
        EXPECT_TRUE(centres.insert({square.centre.x, square.centre.y}).second) << square.name;
        pieces += square.piece.exists() ? 1 : 0;
      }
      EXPECT_EQ(pieces, p.game().file().starts[0].pieces.size());
      const VariantDescription description = describe_game(p.game().file());
      EXPECT_FALSE(description.summary.empty());
      EXPECT_FALSE(description.move_examples.empty());
      for (const std::string& ruling : description.rulings)
        EXPECT_TRUE(ruling.ends_with('.') && ruling.size() < 600) << ruling;
    });
  }
}

TEST(DataPictureText, ShowsWhereBeltsCarry) {
  const GameFile file = game_file("carousel");
  const GameTables<WideBitboard> tables(file);
  EXPECT_EQ(DataPosition<WideBitboard>::from_fen(
                tables, "rnabqkbcnr/pppppppppp/10/10/4P5/10/PPPP1PPPPP/RNABQKBCNR b KQkq - 0 1")
                .picture(),
            "8 r  n  a  b  q  k  b  c  n  r\n"
            "7 p  p  p  p  p  p  p  p  p  p\n"
            "6 .  .  .  .  .  .  .  .  .  .\n"
            "5 .  .  .  .→ .→ .→ .↓ .  .  .\n"
            "4 .  .  .  .↑ P← .← .← .  .  .\n"
            "3 .  .  .  .  .  .  .  .  .  .\n"
            "2 P  P  P  P  .  P  P  P  P  P\n"
            "1 R  N  A  B  Q  K  B  C  N  R\n"
            "  a  b  c  d  e  f  g  h  i  j\n"
            "arrows: where belts carry; ↺: back to the first square\n");
}

TEST(DataPictureText, ShowsHandsBarriersHolesAndDisplacements) {
  const auto text_of_start = [](const std::string& name, const std::string& fen = "") {
    const GameFile file = game_file(name);
    const std::string start = fen.empty() ? file.starts[0].fen : fen;
    if (file.board.all_squares() <= 64)
      return DataPosition<Bitboard>::from_fen(GameTables<Bitboard>(file), start).picture();
    return DataPosition<WideBitboard>::from_fen(GameTables<WideBitboard>(file), start).picture();
  };
  EXPECT_EQ(text_of_start("crazyhouse", "4k3/3+Q4/8/8/8/8/8/4K3[PPn] b - - 0 1"),
            "8 .  .  .  .  k  .  .  .\n"
            "7 .  .  .  +Q .  .  .  .\n"
            "6 .  .  .  .  .  .  .  .\n"
            "5 .  .  .  .  .  .  .  .\n"
            "4 .  .  .  .  .  .  .  .\n"
            "3 .  .  .  .  .  .  .  .\n"
            "2 .  .  .  .  .  .  .  .\n"
            "1 .  .  .  .  K  .  .  .\n"
            "  a  b  c  d  e  f  g  h\n"
            "White's hand: 2 pawns\nBlack's hand: knight\n");
  const std::string levels = text_of_start("inferno2");
  EXPECT_EQ(levels.substr(0, levels.find("5 ")),
            "level 1\n8 r n b q k b n r\n7 p p p p p p p p\n6 . . o o o o . .\n");
  EXPECT_NE(text_of_start("slanted-mini").find("4 . . # "), std::string::npos);
  EXPECT_NE(text_of_start("earthquake").find("\n5 . . . . . . . .\n    . . . . . . . . 4\n"),
            std::string::npos);
  const std::string quarters = text_of_start("quadrants");
  EXPECT_EQ(quarters.substr(0, quarters.find('\n')), "8 r→ n  b  q↓ k→ b  n  r↓");
}

}  // namespace
}  // namespace faultline::data
