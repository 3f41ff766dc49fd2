// A changed encoding needs a new version: the digest of every family's encoding is recorded in
// tests/rules/families/NAME.h (kEncoding).
#include <bit>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "rules/history.h"
#include "tests/families.h"
#include "tests/model/encoding/encoded.h"

namespace faultline {
namespace {

/// FNV-1a, one word at a time.
class Folded {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3U ^ (value_ >> 29); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

/// Planes and policy indices along a game whose moves a fixed generator picks by their texts, so
/// that the order in which they are generated makes no difference.
template <class P>
void fold_game(const typename P::Variant& v, Folded& folded) {
  constexpr int kPlies = 60;
  std::uint64_t state = 1;
  PositionHistory<P> history(P::start(v));
  for (int ply = 0; ply < kPlies && !is_over(history.outcome()); ++ply) {
    const P& p = history.position();
    for (const float value : test::encoded(v, p, history.repetitions()))
      folded.add(std::bit_cast<std::uint32_t>(value));
    typename P::MoveList moves;
    p.legal_moves(moves);
    std::map<std::string, Move> by_text;
    for (const Move m : moves)
      by_text.emplace(p.move_text(m), m);
    for (const auto& [text, m] : by_text) {
      const PolicyIndex i = Encoder<P>::policy_index(p, m);
      for (const std::int32_t number : {i.from, i.to, i.kind})
        folded.add(static_cast<std::uint32_t>(number));
    }
    state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX
    const auto pick = static_cast<std::ptrdiff_t>((state >> 33) % by_text.size());
    history.play(std::next(by_text.begin(), pick)->second);
  }
}

template <class P>
class EncodingDigest : public testing::Test {};
TYPED_TEST_SUITE(EncodingDigest, test::EveryFamily);

TYPED_TEST(EncodingDigest, MatchesItsVersion) {
  using P = TypeParam;
  test::EncodingMark now{};
  Folded description;
  Folded behaviour;
  for (const std::string& name : test::option_sets<P>()) {
    const auto& v = test::variant<P>(name);
    const EncodingInfo& info = Encoder<P>::info(v);
    EXPECT_TRUE(now.version == 0 || now.version == info.version) << name << ": versions differ";
    now.version = info.version;
    description.add(digest(info));
    fold_game<P>(v, behaviour);
  }
  now.description = description.value();
  now.behaviour = behaviour.value();
  const test::EncodingMark& written = test::FamilyTest<P>::kEncoding;
  const std::string& family = P::info().name;
  const bool is_same = now.version == written.version && now.description == written.description &&
                       now.behaviour == written.behaviour;
  EXPECT_TRUE(is_same)
      << std::hex << "the encoding of " << family << " is not the recorded one"
      << (now.version == written.version
              ? ": if this changes what a network sees or what its policy means, give "
                "it a new version in model/encoding/" +
                    family + ".cpp, so that networks for the old one are refused;"
              : ";")
      << " then write in tests/rules/families/" << family
      << ".h\n  static constexpr EncodingMark kEncoding = {.version = " << std::dec << now.version
      << std::hex << ", .description = 0x" << now.description << ", .behaviour = 0x"
      << now.behaviour << "};";
}

TEST(Digest, TellsDescriptionsApart) {
  const EncodingInfo info = Encoder<ChessPosition>::info({});
  EncodingInfo other = info;
  EXPECT_EQ(digest(other), digest(info));
  other.planes[3] += "s";
  EXPECT_NE(digest(other), digest(info));
  other = info;
  other.squares[9].neighbours[0].clear();
  EXPECT_NE(digest(other), digest(info));
}

}  // namespace
}  // namespace faultline
