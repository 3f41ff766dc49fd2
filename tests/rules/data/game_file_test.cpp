// Game files: what they become, how they are merged, and what is said about mistakes.
#include "rules/data/game_file.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "rules/data/betza.h"
#include "rules/data/reading.h"
#include "tests/rules/data/game_texts.h"
#include "tests/temporary_folder.h"

namespace faultline::data {
namespace {

namespace fs = std::filesystem;
using texts::chess_with;
using texts::expect_message;
using texts::game;
using texts::joined;
using texts::kGames;
using texts::kSources;
using texts::load;
using texts::messages;
using texts::Names;
using texts::names;
using texts::shipped;
using texts::shipped_files;
using texts::side;

// ---------------------------------------------------------------------------------------- shipped

TEST(ShippedGames, LoadWithoutErrorsAndWarnings) {
  EXPECT_GE(shipped_files().size(), 50U);
  for (const fs::path& file : shipped_files()) {
    const LoadedGame loaded = load_game_file(file);
    EXPECT_TRUE(loaded.game && loaded.findings.empty()) << file << "\n" << joined(messages(loaded));
    if (!loaded.game) continue;
    EXPECT_EQ(loaded.game->name, file.stem().string());
    EXPECT_NE(loaded.game->title, loaded.game->name) << file;
    EXPECT_FALSE(loaded.game->inventor.empty()) << file;
    EXPECT_FALSE(loaded.game->summary.empty()) << file;
    EXPECT_TRUE(loaded.game->source.starts_with("http")) << file;
  }
}

TEST(ShippedGames, AreTheSameFromTheirMergedText) {
  for (const fs::path& file : shipped_files()) {
    const LoadedGame loaded = load_game_file(file);
    ASSERT_TRUE(loaded.game) << file;
    EXPECT_EQ(loaded.game->text.find("base ="), std::string::npos) << file;
    const LoadedGame again = load_game_text(loaded.game->text, "elsewhere.toml");
    ASSERT_TRUE(again.game) << file << "\n" << again.errors();
    EXPECT_EQ(again.game->text, loaded.game->text) << file;
    EXPECT_EQ(again.game->pieces.size(), loaded.game->pieces.size()) << file;
    EXPECT_EQ(again.game->starts[0].pieces, loaded.game->starts[0].pieces) << file;
  }
}

// -------------------------------------------------------------------------------------- structure

TEST(GameFile, ChessHasWhatChessHas) {
  const GameFile chess = shipped("chess");
  EXPECT_EQ(chess.board.squares, 64);
  EXPECT_EQ(chess.pieces.size(), 6U);
  EXPECT_EQ(chess.square_name(0), "a1");
  EXPECT_EQ(chess.find_square("h8"), 63);
  EXPECT_FALSE(chess.board.carries());
  EXPECT_FALSE(chess.board.changes());
  const PieceSide& white = side(chess, "P", Colour::White);
  const PieceSide& black = side(chess, "P", Colour::Black);
  EXPECT_EQ(white.initial.count(), 8U);
  EXPECT_TRUE(white.initial[chess.find_square("e2")]);
  EXPECT_TRUE(black.initial[chess.find_square("e7")]);
  EXPECT_EQ(names(chess, black.promotions[0].on).front(), "a1");
  EXPECT_EQ(black.legs[0].stretches[0].step[0], Direction::S);
  const auto leap = std::ranges::find_if(white.legs, &Leg::leaves_passed);
  ASSERT_NE(leap, white.legs.end());
  EXPECT_EQ(leap->from, white.initial);
  EXPECT_EQ(chess.starts[0].pieces.size(), 32U);
  EXPECT_EQ(chess.ends.plies->count, 100);
}

TEST(GameFile, CastlingIsWorkedOutFromTheStart) {
  const GameFile chess = shipped("chess");
  ASSERT_EQ(chess.starts[0].castles.size(), 4U);
  const Castle& queenside = chess.starts[0].castles[1];
  EXPECT_EQ(queenside.letter, 'Q');
  EXPECT_EQ(chess.square_name(queenside.ways[0].king_to), "c1");
  EXPECT_EQ(chess.square_name(queenside.ways[0].rook_to), "d1");
  EXPECT_EQ(names(chess, queenside.ways[0].empty), (Names{"b1", "c1", "d1"}));
  EXPECT_EQ(names(chess, queenside.ways[0].safe), (Names{"c1", "d1", "e1"}));

  const GameFile ultra = shipped("slanted-ultra");
  EXPECT_EQ(ultra.square_name(ultra.starts[0].castles[0].rook), "i1");  // not the corner
  EXPECT_EQ(ultra.square_name(ultra.starts[0].castles[0].ways[0].king_to), "h1");

  const GameFile wildebeest = shipped("wildebeest");
  ASSERT_EQ(wildebeest.starts[0].castles.size(), 4U);
  EXPECT_EQ(wildebeest.starts[0].castles[0].ways.size(), 4U);
  const Castle::Way& farthest = wildebeest.starts[0].castles[0].ways[3];
  EXPECT_EQ(wildebeest.square_name(farthest.king_to), "j1");
  EXPECT_EQ(wildebeest.square_name(farthest.rook_to), "i1");

  const GameFile shuffled = shipped("chess960");
  const Castle& long_way = shuffled.starts[2].castles[1];  // rkbbnnqr: the king on b1
  EXPECT_EQ(shuffled.square_name(long_way.king), "b1");
  EXPECT_EQ(shuffled.square_name(long_way.ways[0].king_to), "c1");
  EXPECT_EQ(shuffled.square_name(long_way.ways[0].rook_to), "d1");
  EXPECT_EQ(names(shuffled, long_way.ways[0].empty), (Names{"c1", "d1"}));
}

TEST(GameFile, AFileOfARookNamesARightToo) {
  const GameFile named = game(
      chess_with("[start]\nfen = \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1\"\n"));
  ASSERT_EQ(named.starts[0].castles.size(), 4U);
  EXPECT_EQ(named.starts[0].castles[0].letter, 'H');
  EXPECT_EQ(named.square_name(named.starts[0].castles[0].rook), "h1");
}

TEST(GameFile, ZonesAreMirroredForBlackAsTheBoardSays) {
  const GameFile shogi = shipped("shogi");
  const Hands::Drop& knight = shogi.hands->drops[shogi.find_type("N")];
  EXPECT_TRUE(knight.onto[0][shogi.find_square("a7")]);
  EXPECT_FALSE(knight.onto[0][shogi.find_square("a8")]);
  EXPECT_TRUE(knight.onto[1][shogi.find_square("a3")]);
  EXPECT_FALSE(knight.onto[1][shogi.find_square("a2")]);
  const GameFile turned =
      game(chess_with("[board]\nmirror = \"turn\"\n[pieces]\n"
                      "N = { moves = [ { moves = \"lW\", from = \"a1-b2\" } ] }\n"));
  const Leg& leg = side(turned, "N", Colour::Black).legs[0];
  EXPECT_EQ(leg.stretches[0].step[0], Direction::E);
  EXPECT_EQ(names(turned, leg.from), (Names{"g7", "h7", "g8", "h8"}));
  const GameFile flipped =
      game(chess_with("[pieces]\nN = { moves = [ { moves = \"lW\", from = \"a1-b2\" } ] }\n"));
  EXPECT_EQ(side(flipped, "N", Colour::Black).legs[0].stretches[0].step[0], Direction::W);
  EXPECT_EQ(names(flipped, side(flipped, "N", Colour::Black).legs[0].from),
            (Names{"a7", "b7", "a8", "b8"}));
}

TEST(GameFile, ZonesOfOneSideAreWhatTheyName) {
  const GameFile horde = shipped("horde");
  const std::vector<Leg>& white = side(horde, "P", Colour::White).legs;
  EXPECT_TRUE(std::ranges::any_of(white, [&](const Leg& leg) {
    return leg.stretches[0].most == 2 && leg.from[horde.find_square("e1")] && leg.from.count() == 8;
  }));
  EXPECT_EQ(side(horde, "P", Colour::Black).texts, (Names{"fmW", "fceF", "ifmnD"}));
  const GameFile chigorin = shipped("chigorin");
  EXPECT_TRUE(side(chigorin, "P", Colour::Black).promotions[0].on[chigorin.find_square("d1")]);
}

TEST(GameFile, TakesIsASetOfPieces) {
  const GameFile off = shipped("slanted-ultra-jumpcheck-off");
  const TypeSet king = TypeSet{1} << off.find_type("K");
  for (const Leg& leg : side(off, "U", Colour::White).legs) {
    if (leg.stretches[0].step.size() != 2) continue;  // a step
    EXPECT_EQ((leg.takes & king) != 0, leg.lame);
  }
  EXPECT_TRUE(off.pieces[off.find_type("U")].crosses_barriers_sideways);
}

TEST(GameFile, PiecesInHandAreWhatTheFileMakesOfThem) {
  const GameFile crazyhouse = shipped("crazyhouse");
  const auto becomes = [&](const char* letter) {
    return crazyhouse.hands->becomes[crazyhouse.find_type(letter)];
  };
  EXPECT_EQ(becomes("+Q"), crazyhouse.find_type("P"));
  EXPECT_EQ(becomes("Q"), crazyhouse.find_type("Q"));
  const GameFile shogi = shipped("shogi");
  EXPECT_EQ(shogi.hands->becomes[shogi.find_type("+R")], shogi.find_type("R"));
  EXPECT_EQ(shogi.hands->drops[shogi.find_type("P")].a_file, 1);
  EXPECT_FALSE(shogi.hands->drops[shogi.find_type("P")].mate);
  const GameFile chess = game(chess_with("[hands]\n"));
  const auto on_the_last_rank = [](const GameFile& file) {
    return file.hands->drops[file.find_type("P")].onto[0][file.find_square("a8")];
  };
  EXPECT_FALSE(on_the_last_rank(chess));  // it would promote there
  EXPECT_TRUE(on_the_last_rank(game(chess_with("[hands]\nP = { onto = \"a2-h8\" }\n"))));
  const GameFile given =
      game(chess_with("[hands]\n[start]\nfen = \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[NNp] "
                      "w KQkq - 0 1\"\n"));
  EXPECT_EQ(given.starts[0].hands[0][given.find_type("N")], 2);
  EXPECT_EQ(given.starts[0].hands[1][given.find_type("P")], 1);
}

TEST(GameFile, SlantedRowsHaveFeetAndBarriers) {
  const GameFile ultra = shipped("slanted-ultra");
  EXPECT_EQ(ultra.board.squares, 84);
  EXPECT_EQ(ultra.board.rows[0][0].name, "a1");
  EXPECT_EQ(ultra.board.rows[3][0].name, "ab4");
  EXPECT_DOUBLE_EQ(ultra.board.rows[3][0].foot, 0.5);
  EXPECT_EQ(ultra.board.rows[3][3].kind, CellKind::Barrier);
  EXPECT_EQ(ultra.board.rows[3][3].square, kNoSquare);
}

TEST(GameFile, VoidsAreNoSquaresAndRowsOfFensLeaveThemOut) {
  const GameFile ring =
      game(chess_with("[board]\nvoid = \"d4-e5\"\n[start]\nfen = "
                      "\"rnbqkbnr/pppppppp/8/6/6/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"\n"));
  EXPECT_EQ(ring.board.squares, 60);
  EXPECT_EQ(ring.find_square("d4"), kNoSquare);
  EXPECT_EQ(ring.board.rows[3][3].kind, CellKind::Void);
}

TEST(GameFile, BeltsCarryInTheirOrderAndQuartersTurnClockwise) {
  const GameFile escher = shipped("escher");
  ASSERT_EQ(escher.board.belts.size(), 8U);
  EXPECT_EQ(names(escher, escher.board.belts[1].cycles[0]),
            (Names{"h6", "g6", "f6", "e6", "d6", "c6"}));
  EXPECT_EQ(escher.board.belts[0].control.when, When::Left);
  EXPECT_TRUE(escher.board.carries());
  const GameFile quadrants = shipped("quadrants");
  const Belt& quarter = quadrants.board.belts[0];
  ASSERT_EQ(quarter.cycles.size(), 4U);
  EXPECT_EQ(names(quadrants, quarter.cycles[0]), (Names{"a1", "a4", "d4", "d1"}));
  EXPECT_EQ(quarter.control.when, When::Instead);
  EXPECT_EQ(quarter.control.who, Who::Majority);
  EXPECT_TRUE(quarter.both_ways);
  EXPECT_FALSE(quarter.control.undo);
  const GameFile levels = shipped("inferno-escher");
  ASSERT_EQ(levels.board.belts.size(), 16U);  // one on each level
  EXPECT_EQ(names(levels, levels.board.belts[1].cycles[0])[0], "2a8");
}

TEST(GameFile, PartsSectorsAndLevelsAreResolved) {
  const GameFile quake = shipped("earthquake-every-twelve");
  ASSERT_TRUE(quake.board.parts[0].shift);
  EXPECT_EQ(quake.board.parts[0].files, 1);
  EXPECT_EQ(quake.board.parts[0].squares.count(), 32U);
  EXPECT_EQ(quake.board.parts[0].shift->control.pause, 12);
  EXPECT_EQ(quake.board.parts[0].shift->within_ranks, (Interval{.low = 0, .high = 4}));
  EXPECT_TRUE(quake.board.changes());
  const GameFile shifting = shipped("shifting");
  EXPECT_EQ(shifting.board.sectors->areas.size(), 16U);
  EXPECT_EQ(shifting.board.sectors->gaps, (std::vector<int>{5, 9}));
  EXPECT_EQ(names(shifting, shifting.board.sectors->areas[5]), (Names{"c3", "d3", "c4", "d4"}));
  EXPECT_EQ(shifting.board.sectors->slide->far, 2);
  const GameFile inferno = shipped("inferno2");
  EXPECT_EQ(inferno.board.all_squares(), 128);
  EXPECT_EQ(inferno.find_square("2a1"), 64);
  EXPECT_TRUE(inferno.board.levels.lost);
  const std::vector<Square>& under = inferno.board.levels.below[inferno.find_square("1d3")];
  EXPECT_EQ(names(inferno, under), (Names{"1c1", "1d1", "1c2", "1d2"}));  // within a level
  EXPECT_EQ(inferno.starts[0].castles.size(), 8U);
  const GameFile makruk = shipped("inferno-makruk");
  EXPECT_EQ(makruk.board.levels.below[makruk.find_square("1c4")].size(), 8U);
}

TEST(GameFile, EndsAreWhatTheFileSaysOrUsual) {
  const GameFile racing = shipped("racing-kings");
  EXPECT_TRUE(racing.ends.sides[0].reach[0].reply);
  EXPECT_FALSE(racing.ends.sides[1].reach[0].reply);
  EXPECT_EQ(racing.ends.sides[1].reach[0].zone, racing.ends.sides[0].reach[0].zone);
  EXPECT_FALSE(racing.ends.only_royals_draw);
  EXPECT_EQ(racing.rules.checks, ChecksForbidden::Yes);
  const GameFile antichess = shipped("antichess");
  EXPECT_TRUE(antichess.rules.capture_forced);
  EXPECT_EQ(antichess.ends.sides[0].extinct[0].result, Result::Win);
  EXPECT_EQ(antichess.ends.sides[1].stalemate, Result::Win);
  EXPECT_EQ(side(antichess, "K", Colour::White).royal, Royal::No);
  const GameFile atomic = shipped("atomic");
  EXPECT_EQ(atomic.rules.explode->spares, TypeSet{1} << atomic.find_type("P"));
  EXPECT_EQ(shipped("three-check").ends.sides[1].checks, 3);
  EXPECT_TRUE(shipped("shatranj").ends.sides[0].bare_king->reply);
  EXPECT_EQ(side(shipped("spartan"), "K", Colour::Black).royal, Royal::OneSafe);
}

// ---------------------------------------------------------------------------------------- merging

TEST(MergedFiles, EachFileIsMergedOnceAfterItsBases) {
  const test::TemporaryFolder folder;
  folder.write("one.toml",
               chess_with("[pieces]\nP = { moves = \"fmWfcF\", initial = \"none\" }\n"));
  folder.write("two.toml", chess_with("[ends]\nchecks = 5\n"));
  const LoadedGame both = load_game_text("format = 1\nname = \"both\"\nbase = [\"one\", \"two\"]\n",
                                         (folder.path() / "both.toml").string(), {kGames});
  ASSERT_TRUE(both.game) << both.errors();
  EXPECT_EQ(side(*both.game, "P", Colour::White).texts, (Names{"fmW", "fcF"}));
  EXPECT_EQ(both.game->ends.sides[0].checks, 5);
}

TEST(MergedFiles, TablesAreMergedAndOtherValuesReplaced) {
  const GameFile queen =
      game(chess_with("[pieces]\nK = \"K\"\n[start]\nfen = "
                      "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\"\n"));
  EXPECT_EQ(side(queen, "K", Colour::White).royal, Royal::Yes);  // a text is only its moves
  const GameFile mini = shipped("slanted-mini");
  EXPECT_EQ(mini.board.squares, 44);  // rows replaced files and ranks
  EXPECT_EQ(mini.find_type("P"), kNoType);
  EXPECT_EQ(mini.title, "Slanted Escalator, mini board");
  EXPECT_TRUE(game(chess_with("")).inventor.empty());  // of chess, not of what is based on it
}

TEST(MergedFiles, BasesThatAreMissingOrInACircleAreTold) {
  expect_message("format = 1\nname = \"x\"\nbase = \"ches\"\n",
                 "test.toml:3: base 'ches': there is no ches.toml in ");
  expect_message("format = 1\nname = \"x\"\nbase = \"ches\"\n", "did you mean 'chess'?");
  expect_message("format = 1\nname = \"x\"\nbase = \"../chess\"\n", "without folder and .toml");
  expect_message("format = 1\nname = \"x\"\nbase = 7\n", "must be the name of another game");
  const test::TemporaryFolder folder;
  folder.write("a.toml", "format = 1\nname = \"a\"\nbase = \"b\"\n");
  folder.write("b.toml", "format = 1\nname = \"b\"\nbase = \"a\"\n");
  const LoadedGame circle = load_game_file(folder.path() / "a.toml");
  EXPECT_NE(circle.errors().find("these files are based on each other"), std::string::npos)
      << circle.errors();
  // What a base that cannot be read might have said is not missed.
  folder.write("bad.toml", "format = 1\nname = \n");
  const LoadedGame bad =
      load_game_text("format = 1\nname = \"x\"\nbase = \"bad\"\n[ends]\nstalemat = \"loss\"\n",
                     (folder.path() / "x.toml").string());
  ASSERT_EQ(bad.findings.size(), 2U) << bad.errors();
  EXPECT_NE(bad.errors().find("bad.toml:2: "), std::string::npos) << bad.errors();
  EXPECT_NE(bad.errors().find("x.toml:5: "), std::string::npos) << bad.errors();
}

/// The words between backticks.
std::set<std::string> code_words(const std::string& page) {
  std::set<std::string> words;
  for (std::size_t at = page.find('`'); at != std::string::npos;) {
    const std::size_t end = page.find('`', at + 1);
    if (end == std::string::npos) break;
    std::string word;
    for (const char c : page.substr(at + 1, end - at)) {
      if ((c >= 'a' && c <= 'z') || c == '_') {
        word += c;
      } else if (!word.empty()) {
        words.insert(word);
        word.clear();
      }
    }
    at = page.find('`', end + 1);
  }
  return words;
}

TEST(GamesAsDataPage, HasEveryKeyAndEveryNameOfAPiece) {
  const std::string page = test::read_text(kSources / "docs/games-as-data.md");
  const std::set<std::string> words = code_words(page);
  for (const KnownTable& table : known_tables())
    for (const KnownKey& key : table.keys)
      EXPECT_TRUE(words.contains(std::string(key.name))) << table.path << "." << key.name;
  std::string flowing = page;
  std::ranges::replace(flowing, '\n', ' ');
  for (const NamedPiece& piece : named_pieces())
    EXPECT_NE(flowing.find(std::string(piece.name) + " `" + std::string(piece.betza) + "`"),
              std::string::npos)
        << piece.name;
}

TEST(GamesAsDataPage, HasExamplesThatLoad) {
  const std::string page = test::read_text(kSources / "docs/games-as-data.md");
  int examples = 0;
  for (std::size_t at = 0; (at = page.find("    format = 1\n", at)) != std::string::npos;) {
    std::string file;
    while (page.compare(at, 4, "    ") == 0 || page[at] == '\n') {
      const std::size_t end = page.find('\n', at);
      file += page.substr(std::min(at + 4, end), end - std::min(at + 4, end)) + "\n";
      at = end + 1;
    }
    const LoadedGame loaded = load(file);
    EXPECT_TRUE(loaded.game && loaded.findings.empty()) << file << joined(messages(loaded));
    ++examples;
  }
  EXPECT_EQ(examples, 6);  // one is a piece, and the tutorial has another
}

// ------------------------------------------------------------------------------------------- older

TEST(OlderKeys, AreReadWithAWarningThatSaysWhatTheyAreCalled) {
  const fs::path older = kSources / "tests/rules/data/older";
  for (const auto& [name, warnings] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"chess", {}},
           {"escher", {"'pieces.P.carried' belongs into promotes"}},
           {"grand", {"'pieces.P.promotes.from' is called stock"}},
           {"inferno2",
            {"'board.levels.descend.colour' is called same",
             "'board.levels.lost' is true or false"}},
           {"shifting",
            {"'pieces.P.carried' belongs", "'board.sectors.slide.areas' is called far: far = 2"}},
           {"slanted-ultra", {"'pieces.P.over' is called crosses"}}}) {
    const LoadedGame loaded = load_game_file(older / (name + ".toml"));
    EXPECT_TRUE(loaded.game) << loaded.errors();
    const std::string all = joined(messages(loaded));
    EXPECT_EQ(loaded.findings.size(), warnings.size()) << all;
    for (const std::string& warning : warnings)
      EXPECT_NE(all.find(warning), std::string::npos) << warning << "\nis not in\n" << all;
    EXPECT_EQ(load_game_text(loaded.game->text, "again.toml").game->text, loaded.game->text);
  }
  const LoadedGame inferno = load_game_file(older / "inferno3.toml");
  ASSERT_TRUE(inferno.game) << inferno.errors();
  EXPECT_NE(joined(messages(inferno))
                .find("inferno3.toml:10: warning: start.fen has 2 boards, "
                      "levels.count = 3: the last is taken for the others"),
            std::string::npos)
      << joined(messages(inferno));
  EXPECT_EQ(inferno.game->starts[0].pieces.size(), 96U);
  EXPECT_EQ(inferno.game->starts[0].castles.size(), 12U);
  const GameFile forced = game(chess_with("[ends]\ncapture_forced = true\n"));
  EXPECT_TRUE(forced.rules.capture_forced);
  const GameFile optional = game(chess_with("[pieces.P]\npromotes = { optional = true }\n"));
  EXPECT_TRUE(side(optional, "P", Colour::White).promotions[0].must.none());
  expect_message(chess_with("[board.levels]\ncount = 2\nlost = { winner = \"stays\" }\n"),
                 "board.levels.lost is a table, but must be true or false");
}

// ---------------------------------------------------------------------------------------- mutated

/// Files with bits of others, of the language and of nothing in them either load, and again from
/// their merged text, or are told to be wrong.
TEST(MutatedFiles, AreReadOrRefusedAndNeverBreak) {
  constexpr std::string_view kBits[] = {"\"",
                                        "{",
                                        "}",
                                        "[",
                                        "]",
                                        "=",
                                        ",",
                                        "none",
                                        "rank 9",
                                        "*",
                                        "|",
                                        "-1",
                                        "999999999999",
                                        "\"all\"",
                                        "#",
                                        ".",
                                        "O2",
                                        "+",
                                        "(1,4)",
                                        "[F?R]",
                                        "a1-h8",
                                        "nowhere",
                                        "1a1",
                                        "/",
                                        "0",
                                        "+Q",
                                        "not ",
                                        "every 3",
                                        "true",
                                        "files = 3",
                                        "ranks = 12",
                                        "\n[board.levels]\ncount = 3\n",
                                        "\n[[board.belt]]\nquarter = \"a1-c3\"\n",
                                        "e",
                                        "c8",
                                        "\n"};
  std::vector<std::string> texts;
  for (const fs::path& file : shipped_files())
    texts.push_back(test::read_text(file));
  std::mt19937 random(44);
  const auto pick = [&](std::size_t below) {
    return std::uniform_int_distribution<std::size_t>(0, below - 1)(random);
  };
  int loads = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = texts[pick(texts.size())];
    for (std::size_t change = 1 + pick(4); change > 0; --change) {
      const std::size_t at = pick(text.size());
      const std::string& other = texts[pick(texts.size())];
      switch (pick(4)) {
        case 0:
          text.erase(at, 1 + pick(8));
          break;
        case 1:
          text.insert(at, kBits[pick(std::size(kBits))]);
          break;
        case 2:
          text[at] = static_cast<char>(' ' + pick(95));
          break;
        default:
          text.insert(at, other.substr(pick(other.size()), 1 + pick(80)));
          break;
      }
    }
    const LoadedGame loaded = load_game_text(text, (kGames / "mutated.toml").string());
    ASSERT_NE(loaded.game.has_value(), loaded.has_errors()) << text;
    for (const Finding& finding : loaded.findings) {
      ASSERT_LT(finding.text.size(), 1500U) << finding.text;
      ASSERT_TRUE(std::ranges::all_of(finding.text, [](char c) {
        return static_cast<unsigned char>(c) >= ' ';
      })) << finding.text;
    }
    if (!loaded.game) continue;
    ++loads;
    const LoadedGame again = load_game_text(loaded.game->text, "again.toml");
    ASSERT_TRUE(again.game) << text << "\n" << again.errors();
    ASSERT_EQ(again.game->text, loaded.game->text) << text;
  }
  EXPECT_GT(loads, 100);
  EXPECT_LT(loads, 2900);
}

}  // namespace
}  // namespace faultline::data
