// The descriptions are enough to encode positions and to number moves.
#include "model/export/encoding_description.h"

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "model/export/bundle.h"
#include "model/export/export_options.h"
#include "model/export/plane_source.h"
#include "rules/data/known_games.h"
#include "rules/families.h"
#include "rules/history.h"
#include "tests/families.h"
#include "tests/model/export/position_from_description.h"

namespace faultline {
namespace {

template <class P>
class EncodingDescription : public testing::Test {};
TYPED_TEST_SUITE(EncodingDescription, test::EveryFamily);

/// Plays games at random, and compares some of their positions with the encoder.
template <class P>
void expect_planes(const typename P::Variant& variant, const EncodingInfo& info, int games,
                   int plies) {
  const nlohmann::json description = describe_encoding(info);
  const PositionEncoder<P> encoder(info);
  std::vector<float> planes(info.floats());
  std::mt19937_64 rng(7);
  for (int game = 0; game < games; ++game) {
    PositionHistory<P> history(P::start(variant));
    while (!is_over(history.outcome()) && history.plies() < plies) {
      const P& position = history.position();
      if (history.plies() % 4 == game % 4) {
        encoder.encode(position, history.repetitions(), planes);
        ASSERT_EQ(
            test::DescribedPosition(description, position.fen(), history.repetitions()).planes(),
            planes)
            << info.variant << ": " << position.fen();
      }
      typename P::MoveList moves;
      position.legal_moves(moves);
      history.play(test::random_move(moves, true, rng));
    }
  }
}

/// The same for the numbers of all legal moves.
template <class P>
void expect_slots(const typename P::Variant& variant, int plies) {
  const EncodingInfo& info = Encoder<P>::info(variant);
  const nlohmann::json description = describe_encoding(info);
  std::mt19937_64 rng(7);
  PositionHistory<P> history(P::start(variant));
  while (!is_over(history.outcome()) && history.plies() < plies) {
    const P& position = history.position();
    const test::DescribedPosition described(description, position.fen(), history.repetitions());
    typename P::MoveList moves;
    position.legal_moves(moves);
    for (const Move move : moves)
      ASSERT_EQ(described.slot(position.move_text(move)),
                slot_of(info, Encoder<P>::policy_index(position, move)))
          << info.variant << ": " << position.move_text(move) << " in " << position.fen();
    history.play(test::random_move(moves, true, rng));
  }
}

TYPED_TEST(EncodingDescription, IsEnoughToEncodePositionsFromTheirFens) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>()) {
    const auto& variant = test::variant<P>(name);
    expect_planes<P>(variant, with_attack_planes(Encoder<P>::info(variant)), 3, 150);
  }
}

TYPED_TEST(EncodingDescription, IsEnoughToNumberMovesByTheirTexts) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>())
    expect_slots<P>(test::variant<P>(name), 100);
}

/// Of games of files.
class DescriptionOfFile : public testing::TestWithParam<std::string> {};

TEST_P(DescriptionOfFile, IsEnoughForPositionsAndMoves) {
  with_family(parse_variant_name("data:" + GetParam()),
              []<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                // Planes of attacks, unless a piece attacks a square in several ways.
                const EncodingInfo& plain = Encoder<P>::info(variant);
                const EncodingInfo& info = Encoder<P>::details(variant).attacks.empty()
                                               ? plain
                                               : with_attack_planes(plain);
                expect_planes<P>(variant, info, 2, 80);
                expect_slots<P>(variant, 60);
              });
}

INSTANTIATE_TEST_SUITE_P(Games, DescriptionOfFile, testing::ValuesIn(data::shipped_game_names()),
                         [](const auto& game) {
                           std::string name = game.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TYPED_TEST(EncodingDescription, GivesTheEncodingBack) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>()) {
    const EncodingInfo& info = Encoder<P>::info(test::variant<P>(name));
    for (const EncodingInfo& either : {info, with_attack_planes(info)})
      EXPECT_EQ(encoding_from_description(describe_encoding(either)), either) << name;
  }
}

TEST(EncodingDescriptions, RefuseAnotherEncodingOfTheVariant) {
  EncodingInfo other = Encoder<ChessPosition>::info({});
  other.version += 1;
  EXPECT_THROW(describe_encoding(other), ExportError);
}

TEST(PlaneSources, RefuseANameThatTheVocabularyDoesNotHave) {
  EXPECT_THROW(describe_plane("own dragon", {}), ExportError);
  EXPECT_THROW(describe_plane("", {}), ExportError);
  EXPECT_THROW(describe_plane("level 1", {}), ExportError);
  EXPECT_EQ(describe_plane("level 2: own king", {}).at("source").at("level"), 2);
}

}  // namespace
}  // namespace faultline
