// Random games of shifting and inferno against their slow second statements, from starts and from
// random positions, and seen from the other side.
#include <algorithm>
#include <cctype>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/history.h"
#include "rules/inferno.h"
#include "rules/shifting.h"
#include "tests/rules/slow_inferno.h"
#include "tests/rules/slow_shifting.h"

namespace faultline {
namespace {

using Random = std::mt19937_64;

template <class P>
using SlowState = std::conditional_t<std::is_same_v<P, ShiftingPosition>, slow::ShiftingState,
                                     slow::InfernoState>;

template <class P>
const typename P::Variant& variant(const std::string& name) {
  return P::variant(parse_variant_name(name));
}

std::string mirrored_board(const std::string& rows) {
  std::string text;
  for (const std::string& row : slow::split(rows, '/'))
    text = text.empty() ? row : row + "/" + text;
  return slow::other_case(text);
}

std::string joined(const std::vector<std::string>& parts, auto&& change) {
  std::string text;
  for (const std::string& part : parts)
    text += (text.empty() ? "" : "|") + change(part);
  return text;
}

/// The same position with rows mirrored and colours exchanged.
std::string mirrored(const std::string& fen) {
  auto fields = slow::split(fen, ' ');
  fields[0] = joined(slow::split(fields[0], '|'), mirrored_board);
  fields[1] = fields[1] == "w" ? "b" : "w";
  fields[2] = joined(slow::split(fields[2], '|'), slow::other_case);
  char& rank = fields[3].back();
  if (std::isdigit(static_cast<unsigned char>(rank))) rank = static_cast<char>('1' + '8' - rank);
  std::string text;
  for (const std::string& field : fields)
    text += (text.empty() ? "" : " ") + field;
  return text;
}

/// A move's text as the other side would write it.
std::string mirrored_move(const std::string& text) {
  if (text.find('-') != std::string::npos && std::isupper(static_cast<unsigned char>(text[0]))) {
    const auto area = [](const std::string& name) {
      static const std::map<std::string, std::string> rows = {
          {"I", "IV"}, {"II", "III"}, {"III", "II"}, {"IV", "I"}};
      return name[0] + rows.at(name.substr(1));
    };
    const std::size_t dash = text.find('-');
    return area(text.substr(0, dash)) + "-" + area(text.substr(dash + 1));
  }
  std::string other = text;
  for (std::size_t i = 1; i < other.size(); ++i)
    if (std::islower(static_cast<unsigned char>(other[i - 1])) &&
        std::isdigit(static_cast<unsigned char>(other[i])))
      other[i] = static_cast<char>('1' + '8' - other[i]);
  return other;
}

std::size_t letters_in(const std::string& fen, const std::string& which) {
  const std::string pieces = fen.substr(0, fen.find(' '));
  return static_cast<std::size_t>(std::count_if(
      pieces.begin(), pieces.end(), [&](char c) { return which.find(c) != std::string::npos; }));
}

/// Everything that can be asked of one position.
template <class P>
void expect_every_promise(const typename P::Variant& v, const P& p,
                          const std::map<std::string, std::string>& expected) {
  const std::string fen = p.fen();
  typename P::MoveList moves;
  p.legal_moves(moves);
  std::map<std::string, std::string> played;
  for (const Move m : moves) {
    P next = p;
    next.play(m);
    ASSERT_EQ(next.key(), next.key_from_scratch()) << fen << " " << p.move_text(m);
    played[p.move_text(m)] = next.fen();
    ASSERT_LE(letters_in(next.fen(), "PNBRQKpnbrqk"), letters_in(fen, "PNBRQKpnbrqk")) << fen;
  }
  ASSERT_EQ(played.size(), moves.size()) << "two moves with one text in " << fen;
  ASSERT_EQ(played, expected) << fen;
  ASSERT_EQ(p.count_legal_moves(), moves.size()) << fen;

  const P again = P::from_fen(v, fen);
  ASSERT_EQ(again.fen(), fen);
  ASSERT_EQ(again.key(), p.key()) << fen;

  const P other = P::from_fen(v, mirrored(fen));
  ASSERT_EQ(mirrored(other.fen()).substr(0, fen.find(' ')), fen.substr(0, fen.find(' ')));
  typename P::MoveList other_moves;
  other.legal_moves(other_moves);
  std::set<std::string> texts, other_texts;
  for (const Move m : moves)
    texts.insert(p.move_text(m));
  for (const Move m : other_moves)
    other_texts.insert(mirrored_move(other.move_text(m)));
  ASSERT_EQ(other_texts, texts) << fen;
  ASSERT_EQ(other.in_check(), p.in_check()) << fen;
}

struct Seen {
  int plies = 0;
  int board_movements = 0;  // shifts; levels that vanished
  int checks = 0;
};

template <class P>
void play_randomly(const typename P::Variant& v, const P& start, int plies, Random& rng,
                   Seen& seen) {
  Line<P> line(start);
  for (int ply = 0; ply < plies; ++ply) {
    const P& p = line.position();
    const SlowState<P> state(p.fen());
    const auto expected = state.moves();
    expect_every_promise<P>(v, p, expected);
    if (testing::Test::HasFatalFailure()) return;
    seen.plies += 1;
    seen.checks += p.in_check() ? 1 : 0;
    typename P::MoveList moves;
    p.legal_moves(moves);
    if (is_over(line.outcome(!moves.empty()))) return;
    const Move move = moves[rng() % moves.size()];
    if constexpr (std::is_same_v<P, ShiftingPosition>) {
      ASSERT_EQ(p.in_check(), slow::king_attacked(state.board, state.white)) << p.fen();
      seen.board_movements += move.kind() == MoveKind::SectorShift ? 1 : 0;
      line.play(move);
    } else {
      ASSERT_EQ(p.in_check(), state.in_check()) << p.fen();
      const std::string before = p.fen();
      const int levels = p.levels();
      line.play(move);
      const bool vanished = line.position().levels() < levels;
      seen.board_movements += vanished ? 1 : 0;
      for (const char* king : {"K", "k"})
        if (!vanished) {
          ASSERT_EQ(letters_in(line.position().fen(), king), letters_in(before, king)) << before;
        }
    }
  }
}

/// A board with kings and a few pieces that reach far, so that checks, mates and stalemates are
/// common; now and then kings and rooks are at home. Nothing stands where `free` says no.
slow::Letters sparse_board(Random& rng, const std::string& extra, auto&& free) {
  slow::Letters b;
  b.fill('.');
  const auto put = [&](char c, std::size_t on) {
    if (!free(static_cast<int>(on)) || b[on] != '.') return false;
    if (slow::upper(c) == 'P' && (on < 8 || on >= 56)) return false;
    b[on] = c;
    return true;
  };
  const auto put_anywhere = [&](char c) {
    for (int attempt = 0; attempt < 100; ++attempt)
      if (put(c, rng() % 64)) return;
  };
  const bool at_home = rng() % 3 == 0;
  if (!at_home || !put('K', 4)) put_anywhere('K');
  if (!at_home || !put('k', 60)) put_anywhere('k');
  for (const auto& [rook, home] : {std::pair{'R', 0U}, {'R', 7U}, {'r', 56U}, {'r', 63U}})
    if (at_home && rng() % 2) put(rook, home);
  for (const char c : extra)
    put_anywhere(c);
  for (int n = static_cast<int>(rng() % 9) + 1; n > 0; --n)
    put_anywhere("QRRBNPPPqrrbnppp"[rng() % 16]);
  return b;
}

/// Plays from a random position, if it is one.
template <class P>
void play_from(const typename P::Variant& v, const std::string& fen, int plies, Random& rng,
               Seen& seen) {
  try {
    play_randomly<P>(v, P::from_fen(v, fen), plies, rng, seen);
  } catch (const FenError&) {
    // The side not to move in check, or a level won already.
  }
}

TEST(ShiftingGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20240701);
  Seen seen;
  for (const std::string name :
       {"shifting", "shifting:gaps=CII+CIII", "shifting:gaps=AIII+DII", "shifting:gaps=AII+BII",
        "shifting:gaps=CIII+DIII", "shifting:gaps=BIII+CII"}) {
    const auto& v = variant<ShiftingPosition>(name);
    for (int game = 0; game < 5; ++game)
      play_randomly(v, ShiftingPosition::start(v), 120, rng, seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.plies, 2000);
  EXPECT_GT(seen.board_movements, 200);
}

TEST(ShiftingGames, AgreeWithTheSlowRulesWhereverTheGapsAre) {
  Random rng(20240702);
  Seen seen;
  const auto& v = variant<ShiftingPosition>("shifting");
  for (int game = 0; game < 600; ++game) {
    const int gap = static_cast<int>(rng() % 16);
    const int other = (gap + 1 + static_cast<int>(rng() % 15)) % 16;
    const auto area = [](int s) { return s / 16 * 4 + s % 8 / 2; };
    const auto exists = [&](int s) { return area(s) != gap && area(s) != other; };
    slow::Letters b = sparse_board(rng, "", exists);
    for (int s = 0; s < 64; ++s)
      if (!exists(s)) slow::at(b, s) = '*';
    play_from<ShiftingPosition>(v,
                                slow::write_letters(b) + (rng() % 2 ? " w " : " b ") +
                                    slow::rights_left("KQkq", b) + " - 0 1",
                                12, rng, seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.plies, 2000);
  EXPECT_GT(seen.board_movements, 200);
  EXPECT_GT(seen.checks, 100);
}

TEST(InfernoGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20240703);
  Seen seen;
  const std::vector<std::pair<int, int>> plies_by_levels = {{1, 100}, {2, 80}, {3, 40},
                                                            {4, 12},  {5, 6},  {6, 4}};
  for (const auto& [levels, plies] : plies_by_levels) {
    const auto& v = variant<InfernoPosition>("inferno:levels=" + std::to_string(levels));
    for (int game = 0; game < 3; ++game)
      play_randomly(v, InfernoPosition::start(v), plies, rng, seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.plies, 500);
}

TEST(InfernoGames, AgreeWithTheSlowRulesWhileLevelsAreWon) {
  Random rng(20240704);
  Seen seen;
  for (int game = 0; game < 300; ++game) {
    // One level has vanished, and its kings may have risen.
    const auto levels = static_cast<int>(rng() % 5) + 1;
    const auto& v = variant<InfernoPosition>("inferno:levels=" + std::to_string(levels + 1));
    const auto risen_to = static_cast<int>(rng() % 10);
    std::string pieces, rights;
    for (int level = 0; level < levels; ++level) {
      const bool deepest = level + 1 == levels;
      const auto free = [&](int s) {
        return deepest || s % 8 < 2 || s % 8 > 5 || s / 8 < 2 || s / 8 > 5;
      };
      const slow::Letters b = sparse_board(rng, level == risen_to ? "Kk" : "", free);
      pieces += (level ? "|" : "") + slow::write_letters(b);
      rights += (level ? "|" : "") + slow::rights_left("KQkq", b);
    }
    play_from<InfernoPosition>(v, pieces + (rng() % 2 ? " w " : " b ") + rights + " - 0 1", 10, rng,
                               seen);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(seen.plies, 700);
  EXPECT_GT(seen.board_movements, 25);
  EXPECT_GT(seen.checks, 150);
}

}  // namespace
}  // namespace faultline
