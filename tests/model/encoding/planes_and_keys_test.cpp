// Planes are equal exactly if the position, the halfmove clock and the repetitions are.
#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rules/zobrist.h"
#include "tests/effort.h"
#include "tests/model/encoding/encoded.h"
#include "tests/model/encoding/random_histories.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline {
namespace {

using Planes = std::vector<float>;

/// Everything that a network should see. The same position seen from the other side has another
/// key, although most encodings show it alike.
struct Seen {
  std::uint64_t key = 0;
  int clock = 0;
  int repetitions = 0;

  friend auto operator<=>(const Seen&, const Seen&) = default;
};

/// Compares positions of one variant: keys and planes must distinguish the same ones.
template <class P>
class KeysAndPlanes {
 public:
  explicit KeysAndPlanes(const typename P::Variant& variant) : variant_(variant) {}

  void add(const P& p, int repetitions) {
    const Seen key = {p.key(), p.halfmove_clock(), repetitions};
    Planes planes = test::encoded(variant_, p, repetitions);
    const auto [of_key, is_new_key] = planes_of_.try_emplace(key, planes);
    ASSERT_TRUE(of_key->second == planes) << "same key, different planes: " << p.fen();
    const auto [of_planes, is_new] =
        key_of_.try_emplace({p.side_to_move(), std::move(planes)}, key);
    ASSERT_TRUE(of_planes->second == key) << "same planes, different key: " << p.fen();
    seen_again_ += is_new ? 0 : 1;
  }
  int seen_again() const { return seen_again_; }

 private:
  const typename P::Variant& variant_;
  std::map<Seen, Planes> planes_of_;
  std::map<std::pair<Colour, Planes>, Seen> key_of_;
  int seen_again_ = 0;
};

/// A few of the moves, mostly the same ones before and after another was played, so that many
/// transpositions occur.
template <class P>
std::vector<Move> favourite_moves(const P& p) {
  constexpr std::size_t kMoves = 5;
  typename P::MoveList list;
  p.legal_moves(list);
  std::vector<Move> moves(list.begin(), list.end());
  std::ranges::sort(moves, {}, [](Move m) { return splitmix64_finalizer(m.bits()); });
  moves.resize(std::min(moves.size(), kMoves));
  return moves;
}

template <class P>
void add_what_follows(const P& p, int plies, KeysAndPlanes<P>& all) {
  all.add(p, 0);
  if (plies == 0 || testing::Test::HasFatalFailure()) return;
  for (const Move m : favourite_moves(p)) {
    P next = p;
    next.play(m);
    add_what_follows(next, plies - 1, all);
  }
}

/// The position with a different number in one FEN field.
template <class P>
P with_field(const typename P::Variant& v, const P& p, std::size_t field, const std::string& text) {
  auto fields = reference::split(p.fen(), ' ');
  fields[field] = text;
  return P::from_fen(v, reference::join(fields, ' '));
}

template <class P>
class PlanesAndKeys : public testing::Test {};
TYPED_TEST_SUITE(PlanesAndKeys, test::EveryFamily);

TYPED_TEST(PlanesAndKeys, IsEqualExactlyIfThePlanesAre) {
  using P = TypeParam;
  constexpr int kEvery = 24;
  int visited = 0;
  int seen_again = 0;
  test::for_random_positions<P>(
      4, [&](const auto& v, const PositionHistory<P>& history, const auto&) {
        if (++visited % kEvery != 0) return;
        const P& p = history.position();
        KeysAndPlanes<P> all(v);
        add_what_follows(p, 3, all);
        for (const int repetitions : {1, 2})
          all.add(p, repetitions);
        for (const char* clock : {"0", "1", "16", "99"})
          all.add(with_field(v, p, 4, clock), 0);
        all.add(with_field(v, p, 5, "77"), 0);  // the move number, which is not encoded
        seen_again += all.seen_again();
      });
  EXPECT_GT(visited, test::effort(2000));
  EXPECT_GT(seen_again, test::effort(1000));
}

}  // namespace
}  // namespace faultline
