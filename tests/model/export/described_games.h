// Games at random whose positions and moves a description of the encoding must be enough for.
#pragma once

#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/encoders.h"
#include "model/export/encoding_description.h"
#include "model/export/export_options.h"
#include "rules/history.h"
#include "tests/families.h"
#include "tests/model/export/position_from_description.h"

namespace faultline::test {

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
        ASSERT_EQ(DescribedPosition(description, position.fen(), history.repetitions()).planes(),
                  planes)
            << info.variant << ": " << position.fen();
      }
      typename P::MoveList moves;
      position.legal_moves(moves);
      history.play(random_move(moves, true, rng));
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
    const DescribedPosition described(description, position.fen(), history.repetitions());
    typename P::MoveList moves;
    position.legal_moves(moves);
    for (const Move move : moves)
      ASSERT_EQ(described.slot(position.move_text(move)),
                slot_of(info, Encoder<P>::policy_index(position, move)))
          << info.variant << ": " << position.move_text(move) << " in " << position.fen();
    history.play(random_move(moves, true, rng));
  }
}

}  // namespace faultline::test
