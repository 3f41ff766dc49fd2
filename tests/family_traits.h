// What the tests that go through all families ask of each: tests/rules/families/NAME.h answers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rules/position.h"
#include "tests/random_boards.h"

namespace faultline::test {

using ChangeText = std::function<std::string(const std::string&)>;

/// A position turned or mirrored, and how its texts are turned back.
template <class P>
struct Elsewhere {
  P position;
  ChangeText turn_fen;
  ChangeText turn_move;
};

/// `v`: the variant that is played there.
template <class P>
Elsewhere<P> seen_elsewhere(const typename P::Variant& v, const P& p, const ChangeText& turn_fen,
                            const ChangeText& turn_move) {
  return {P::from_fen(v, turn_fen(p.fen())), turn_fen, turn_move};
}

/// What came up in random games: positions, and of all their legal moves the special ones.
struct Seen {
  int plies = 0;
  int checks = 0;
  int elsewhere = 0;  // seen from elsewhere, too
  int en_passant = 0;
  int castlings = 0;
  int promotions = 0;
  int board_movements = 0;
  int levels_lost = 0;
};

/// Random games of one variant.
struct Games {
  std::string variant;
  int games = 0;
  int plies = 0;  // per game, at most
};

/// Random games of a family, and what must come up in them more often than this, so that they are
/// known to have tested it.
struct GamePlan {
  std::uint64_t seed;
  std::vector<Games> games;
  Seen more_than;  // 0: not asked
};

inline std::vector<Games> games_of_each(const std::vector<std::string>& variants, int games,
                                        int plies) {
  std::vector<Games> all;
  for (const std::string& name : variants)
    all.push_back({name, games, plies});
  return all;
}

/// What the present version of a family's encoding does, over all of its option_sets():
/// tests/model/encoding/encoding_digest_test.cpp.
struct EncodingMark {
  int version;
  std::uint64_t description;  // of what the encodings say of themselves
  std::uint64_t behaviour;    // of planes and policy indices in fixed games
};

/// Specialised for every family, derived from FamilyDefaults<P>, with
///   // The position by the reference implementation (tests/rules/reference/NAME.h), which has
///   //   std::map<std::string, std::string> moves() const;   // each legal move's text and the FEN
///   //                                                       // that it leads to
///   //   bool in_check() const;
///   static State reference_state(const Variant&, const std::string& fen);
///   // The position mirrored or turned in every way that the rules cannot tell from it.
///   static std::vector<Elsewhere<P>> seen_from_elsewhere(const Variant&, const P&);
///   // Often a position with few pieces, so that checks, promotions and the like are common;
///   // nobody has looked whether one may be in check.
///   static std::string sparse_fen(const Variant&, Random&);
///   static GamePlan games_from_the_start();
///   static GamePlan games_on_sparse_boards();
///   static constexpr EncodingMark kEncoding;
/// and what the defaults below do not say rightly.
template <class P>
struct FamilyTest;

template <class P>
struct FamilyDefaults {
  /// The variants that tests go through, by canonical name, the default one among them.
  static std::vector<std::string> option_sets() { return {P::info().name}; }
  /// Every position has one king a side.
  static constexpr bool kOneKingEach = true;
  /// Whether boards move, and whether this position's is no longer what the game began on.
  static constexpr bool kGroundChanges = false;
  static bool is_ground_changed(const typename P::Variant&, const P&) { return false; }
  /// Whether the position is one of the same variant when it is turned as the encoding's symmetry
  /// says.
  static bool is_turnable(const typename P::Variant&, const P&) { return true; }
  /// How many vectors tests/vectors/NAME.jsonl holds at least.
  static constexpr std::size_t kLeastVectors = 1;
};

/// The variants that tests of every family go through, by canonical name.
template <class P>
std::vector<std::string> option_sets() {
  return FamilyTest<P>::option_sets();
}

/// The variant of that name; it lives until the program ends.
template <class P>
const typename P::Variant& variant(const std::string& name) {
  return P::variant(parse_variant_name(name));
}

/// A position from one of the family's sparse texts.
template <class P>
P sparse_position(const typename P::Variant& v, Random& rng) {
  while (true) {
    try {
      return P::from_fen(v, FamilyTest<P>::sparse_fen(v, rng));
    } catch (const FenError&) {  // a king may be taken, a level is won already, …
    }
  }
}

}  // namespace faultline::test
