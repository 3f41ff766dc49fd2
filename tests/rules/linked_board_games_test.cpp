// Random games of slanted and earthquake against their slow second statements, from starts and from
// random positions, and seen in a mirror.
#include <algorithm>
#include <cctype>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/earthquake.h"
#include "rules/history.h"
#include "rules/slanted.h"
#include "tests/rules/slow_earthquake.h"
#include "tests/rules/slow_slanted.h"

namespace faultline {
namespace {

using Random = std::mt19937_64;

template <class P>
const typename P::Variant& variant(const std::string& name) {
  return P::variant(parse_variant_name(name));
}

std::size_t pieces_in(const std::string& fen) {
  return static_cast<std::size_t>(
      std::count_if(fen.begin(), fen.begin() + static_cast<std::ptrdiff_t>(fen.find(' ')),
                    [](char c) { return slow::is_piece(c); }));
}

template <class P>
std::set<std::string> move_texts(const P& p) {
  typename P::MoveList moves;
  p.legal_moves(moves);
  std::set<std::string> texts;
  for (const Move m : moves)
    texts.insert(p.move_text(m));
  return texts;
}

/// Everything that can be asked of one position.
template <class P>
void expect_every_promise(const P& p, const std::map<std::string, std::string>& expected) {
  const std::string fen = p.fen();
  typename P::MoveList moves;
  p.legal_moves(moves);
  std::map<std::string, std::string> played;
  for (const Move m : moves) {
    P next = p;
    next.play(m);
    ASSERT_EQ(next.key(), next.key_from_scratch()) << fen << " " << p.move_text(m);
    ASSERT_EQ(p.parse_move(p.move_text(m)), m) << fen;
    played[p.move_text(m)] = next.fen();
    ASSERT_LE(pieces_in(next.fen()), pieces_in(fen)) << fen;
  }
  ASSERT_EQ(played.size(), moves.size()) << "two moves with one text in " << fen;
  ASSERT_EQ(played, expected) << fen;
  ASSERT_EQ(p.count_legal_moves(), moves.size()) << fen;
  const P again = P::from_fen(p.variant(), fen);
  ASSERT_EQ(again.fen(), fen);
  ASSERT_EQ(again.key(), p.key()) << fen;
}

struct Seen {
  int plies = 0;
  int checks = 0;
  int en_passant = 0;
  int castlings = 0;
  int promotions = 0;
  int shifts = 0;
};

/// `state_of(fen)`: the slow statement's position; `also(p)`: what more to ask.
template <class P, class StateOf, class Also>
void play_randomly(const P& start, int plies, Random& rng, Seen& seen, StateOf&& state_of,
                   Also&& also) {
  Line<P> line(start);
  for (int ply = 0; ply < plies; ++ply) {
    const P& p = line.position();
    const auto state = state_of(p.fen());
    expect_every_promise(p, state.moves());
    if (testing::Test::HasFatalFailure()) return;
    ASSERT_EQ(p.in_check(), state.king_attacked(state.white)) << p.fen();
    also(p);
    if (testing::Test::HasFatalFailure()) return;
    seen.plies += 1;
    seen.checks += p.in_check() ? 1 : 0;
    typename P::MoveList moves;
    p.legal_moves(moves);
    for (const Move m : moves) {
      seen.en_passant += m.kind() == MoveKind::EnPassant ? 1 : 0;
      seen.castlings += m.kind() == MoveKind::Castling ? 1 : 0;
      seen.promotions += m.kind() == MoveKind::Promotion ? 1 : 0;
      seen.shifts += m.kind() == MoveKind::Aftershock ? 1 : 0;
    }
    if (is_over(line.outcome(!moves.empty()))) return;
    // Double steps rather often, or en passant captures stay rare.
    Move move = moves[rng() % moves.size()];
    for (int again = 0; again < 6 && move.kind() != MoveKind::DoubleStep; ++again)
      if (const Move other = moves[rng() % moves.size()]; other.kind() == MoveKind::DoubleStep)
        move = other;
    line.play(move);
  }
}

// Earthquake ------------------------------------------------------------------------------------

/// The same position from behind: ranks mirrored, colours exchanged, displaced the other way. The
/// lower half covers the upper one, so this is a symmetry only where nothing is covered.
std::string seen_from_behind(const std::string& fen) {
  auto fields = slow::split(fen, ' ');
  std::string rows;
  for (const std::string& row : slow::split(fields[0], '/'))
    rows = rows.empty() ? row : row + "/" + rows;
  fields[0] = slow::other_case(rows);
  fields[1] = fields[1] == "w" ? "b" : "w";
  fields[2] = slow::other_case(fields[2]);
  if (fields[3] != "-") fields[3][1] = static_cast<char>('1' + '8' - fields[3][1]);
  const slow::EarthquakeState state({.aftershocks = 9}, fen);
  std::string ground = std::to_string(-state.dx) + "," + std::to_string(state.dy);
  if (fields[6].find('/') != std::string::npos)
    ground += "/" + std::to_string(state.left[1]) + "," + std::to_string(state.left[0]) + "/" +
              std::to_string(-state.last);
  fields[6] = ground;
  std::string text;
  for (const std::string& field : fields)
    text += (text.empty() ? "" : " ") + field;
  return text;
}

std::string move_from_behind(std::string text) {
  for (char& c : text) {
    if (c >= '1' && c <= '8' && text[0] != '@') c = static_cast<char>('1' + '8' - c);
    if (c == '+' || c == '-') c = c == '+' ? '-' : '+';
  }
  return text;
}

void expect_same_from_behind(const EarthquakePosition& p) {
  const auto& v = p.variant();
  if (v.start().dy > 0) return;
  VariantName name = parse_variant_name(v.canonical_name());
  name.options["dx"] = std::to_string(-v.start().dx);
  const auto& mirrored_variant = EarthquakePosition::variant(name);
  const auto other = EarthquakePosition::from_fen(mirrored_variant, seen_from_behind(p.fen()));
  std::set<std::string> expected;
  for (const std::string& text : move_texts(p))
    expected.insert(move_from_behind(text));
  ASSERT_EQ(move_texts(other), expected) << p.fen();
  ASSERT_EQ(other.in_check(), p.in_check()) << p.fen();
}

struct EarthquakeGame {
  const EarthquakeVariant& v;
  slow::EarthquakeState operator()(const std::string& fen) const {
    return {{.fly = v.fly(), .aftershocks = v.aftershocks(), .shock = v.shock()}, fen};
  }
};

const std::vector<std::string> kEarthquakes = {
    "earthquake",
    "earthquake:dx=-3",
    "earthquake:dx=8",
    "earthquake:dx=0",
    "earthquake:dx=-2,dy=1",
    "earthquake:dx=0,dy=2",
    "earthquake:dx=-8,dy=3",
    "earthquake:dx=8,dy=4",
    "earthquake:dx=2,dy=-1,fly=on",
    "earthquake:dx=-5,dy=-2,fly=on",
    "earthquake:dx=4,dy=2,fly=on",
    "earthquake:aftershock=2",
    "earthquake:dx=-1,aftershock=9,shock=7",
    "earthquake:dx=8,dy=3,aftershock=3,shock=4",
    "earthquake:dx=3,dy=1,aftershock=4,shock=2",
    "earthquake:dx=0,dy=-1,fly=on,aftershock=3,shock=3",
};

TEST(EarthquakeGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20240801);
  Seen seen;
  for (const std::string& name : kEarthquakes) {
    const auto& v = variant<EarthquakePosition>(name);
    for (int game = 0; game < 3; ++game)
      play_randomly(EarthquakePosition::start(v), 100, rng, seen, EarthquakeGame{v},
                    expect_same_from_behind);
    if (HasFatalFailure()) FAIL() << name;
  }
  EXPECT_GT(seen.plies, 3000);
  EXPECT_GT(seen.shifts, 300);
  EXPECT_GT(seen.castlings, 10);
  EXPECT_GT(seen.promotions, 10);
}

TEST(EarthquakeGames, AgreeWithTheSlowRulesOnSparseBoards) {
  Random rng(20240802);
  Seen seen;
  for (int game = 0; game < 1500; ++game) {
    const std::string& name = kEarthquakes[static_cast<std::size_t>(game) % kEarthquakes.size()];
    const auto& v = variant<EarthquakePosition>(name);
    int dx = v.start().dx;
    if (v.aftershocks() > 0) dx = static_cast<int>(rng() % 15) - 7;
    slow::Letters board;
    board.fill('.');
    for (int s = 0; s < 64; ++s)
      if (contains(v.board(dx)->covered(), static_cast<Square>(s))) slow::at(board, s) = '*';
    std::string castling = "-";
    if (rng() % 3 == 0) {
      for (const int s : {0, 4, 7})
        slow::at(board, s) = s == 4 ? 'K' : 'R';
      castling = "KQ";
    }
    const auto put = [&](char c) {
      for (int attempt = 0; attempt < 200; ++attempt) {
        const int s = static_cast<int>(rng() % 64);
        if (slow::at(board, s) != '.') continue;
        if (slow::upper(c) == 'P' && (s / 8 == 0 || s / 8 == 7)) continue;
        slow::at(board, s) = c;
        return;
      }
    };
    if (castling == "-") put('K');
    put('k');
    for (auto n = rng() % 16 + 1; n > 0; --n)
      put("QRRBNPPPPPqrrbnppppp"[rng() % 20]);
    std::string ground = std::to_string(dx) + "," + std::to_string(v.start().dy);
    if (v.aftershocks() > 0) ground += "/1," + std::to_string(v.aftershocks()) + "/0";
    const std::string fen =
        slow::write_letters(board) + (rng() % 2 ? " w " : " b ") + castling + " - 0 1 " + ground;
    try {
      const auto start = EarthquakePosition::from_fen(v, fen);
      play_randomly(start, 12, rng, seen, EarthquakeGame{v}, expect_same_from_behind);
    } catch (const FenError&) {
      continue;  // the side not to move is in check
    }
    if (HasFatalFailure()) FAIL() << name;
  }
  EXPECT_GT(seen.plies, 3000);
  EXPECT_GT(seen.checks, 200);
  EXPECT_GT(seen.shifts, 200);
  EXPECT_GT(seen.en_passant, 5);
  EXPECT_GT(seen.castlings, 50);
}

// Slanted ---------------------------------------------------------------------------------------

slow::SlantedRules slow_rules(const SlantedVariant& v) {
  slow::SlantedRules r;
  const SlantedShape shape = v.board().shape();
  if (shape != SlantedShape::Ultra) {
    r.width = 8;
    r.escalators = 2;
    r.has_ultras = false;
    r.promotions = {"QRBN", "QRBN"};
  }
  if (shape == SlantedShape::Standard) r.height = 8, r.seam = 3, r.top = 5;
  if (shape == SlantedShape::Mini) r.height = 6, r.seam = 2, r.top = 4, r.double_steps = false;
  r.black_first = v.first_mover() == Colour::Black;
  r.jump_check = v.jump_check();
  if (v.army() != SlantedArmy::Standard) r.promotions[0] = "MURBN";
  if (v.army() == SlantedArmy::Almost) r.promotions[1] = "MURBN";
  r.lay_out();
  return r;
}

/// "bc4" for "hi4": files mirrored. Works on whole move texts, too.
std::string mirrored_squares(const std::string& text, int width) {
  std::string result;
  std::string letters;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (std::isdigit(static_cast<unsigned char>(text[i]))) {
      for (auto c = letters.rbegin(); c != letters.rend(); ++c)
        result += static_cast<char>('a' + width - 1 - (*c - 'a'));
      letters.clear();
      result += text[i];
    } else {
      letters += text[i];
    }
  }
  return result + letters;  // a promotion's letter
}

/// The boards are the same seen in a mirror beside them; only castling knows left from right.
void expect_same_beside(const SlantedPosition& p) {
  auto fields = slow::split(p.fen(), ' ');
  if (fields[2] != "-") return;
  const int width = p.variant().board().grid().width;
  std::string rows;
  for (const std::string& row : slow::split(fields[0], '/')) {
    rows += rows.empty() ? "" : "/";
    std::vector<std::string> tokens;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && std::isdigit(static_cast<unsigned char>(row[i])) &&
          std::isdigit(static_cast<unsigned char>(row[i - 1])))
        tokens.back() += row[i];
      else
        tokens.emplace_back(1, row[i]);
    }
    for (auto token = tokens.rbegin(); token != tokens.rend(); ++token)
      rows += *token;
  }
  const std::string fen = rows + " " + fields[1] + " - " +
                          (fields[3] == "-" ? "-" : mirrored_squares(fields[3], width)) + " " +
                          fields[4] + " " + fields[5];
  const auto other = SlantedPosition::from_fen(p.variant(), fen);
  std::set<std::string> expected;
  for (const std::string& text : move_texts(p))
    expected.insert(mirrored_squares(text, width));
  ASSERT_EQ(move_texts(other), expected) << p.fen();
}

const std::vector<std::string> kSlanted = {
    "slanted",
    "slanted:jumpcheck=off",
    "slanted:army=almost",
    "slanted:army=sort-of-almost,first=black",
    "slanted:board=standard",
    "slanted:board=mini",
    "slanted:board=mini,first=white",
};

TEST(SlantedGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20240901);
  Seen seen;
  for (const std::string& name : kSlanted) {
    const auto& v = variant<SlantedPosition>(name);
    const slow::SlantedRules rules = slow_rules(v);
    const auto state_of = [&](const std::string& fen) { return slow::SlantedState(rules, fen); };
    for (int game = 0; game < 5; ++game)
      play_randomly(SlantedPosition::start(v), 80, rng, seen, state_of, expect_same_beside);
    if (HasFatalFailure()) FAIL() << name;
  }
  EXPECT_GT(seen.plies, 2000);
  EXPECT_GT(seen.castlings, 3);
}

TEST(SlantedGames, AgreeWithTheSlowRulesOnSparseBoards) {
  Random rng(20240902);
  Seen seen;
  for (int game = 0; game < 900; ++game) {
    const std::string& name = kSlanted[static_cast<std::size_t>(game) % kSlanted.size()];
    const auto& v = variant<SlantedPosition>(name);
    const slow::SlantedRules rules = slow_rules(v);
    const auto state_of = [&](const std::string& fen) { return slow::SlantedState(rules, fen); };
    slow::SlantedState board = state_of(SlantedPosition::start(v).fen());
    std::fill(board.board.begin(), board.board.end(), '.');
    board.castling = "-";
    if (rng() % 3 == 0) {
      board.castling = "KQ";
      for (const char right : board.castling) {
        board.on(board.castle(right).king) = 'K';
        board.on(board.castle(right).rook) = 'R';
      }
    }
    const auto put = [&](char c, int only_rank = -1) {
      if (!v.knows({slow::upper(c) == 'U'   ? PieceType::Ultra
                    : slow::upper(c) == 'M' ? PieceType::Chancellor
                    : slow::upper(c) == 'Q' ? PieceType::Queen
                                            : PieceType::Rook,
                    slow::is_white(c) ? Colour::White : Colour::Black}))
        return;
      for (int attempt = 0; attempt < 200; ++attempt) {
        const auto s = static_cast<int>(rng() % board.board.size());
        const int rank = rules.cell(s).rank;
        if (board.on(s) != '.' || rules.is_barrier(s)) continue;
        if (only_rank >= 0 && rank != only_rank) continue;
        if (slow::upper(c) == 'C' && (rank == 0 || rank == rules.height - 1)) continue;
        board.on(s) = c;
        return;
      }
    };
    if (board.castling == "-") put('K');
    put('k');
    for (auto n = rng() % 20 + 2; n > 0; --n)
      put("QMRRBNUUCCCCCqmrrbnuuccccc"[rng() % 26]);
    // Crabs that may step two squares, and enemies near where they land.
    if (rules.double_steps && game % 2 == 0)
      for (int pair = 0; pair < 3; ++pair) {
        put('C', 1);
        put('c', 3);
        put('c', rules.height - 2);
        put('C', rules.height - 4);
      }
    board.white = rng() % 2 == 0;
    try {
      const auto start = SlantedPosition::from_fen(v, board.fen());
      play_randomly(start, 8, rng, seen, state_of, expect_same_beside);
    } catch (const FenError&) {
      continue;  // the side not to move is in check
    }
    if (HasFatalFailure()) FAIL() << name;
  }
  EXPECT_GT(seen.plies, 3000);
  EXPECT_GT(seen.checks, 100);
  EXPECT_GT(seen.promotions, 50);
  EXPECT_GT(seen.en_passant, 50);
  EXPECT_GT(seen.castlings, 20);
}

}  // namespace
}  // namespace faultline
