// Random games of any family, for calibration.
#include "model/calibration.h"

#include <random>
#include <span>
#include <stdexcept>
#include <type_traits>

#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "rules/families.h"
#include "rules/history.h"

namespace faultline {

std::vector<float> random_game_planes(const EncodingInfo& encoding, std::size_t count) {
  return with_family(parse_variant_name(encoding.variant),
                     [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                       if (!is_encoding_of(encoding, Encoder<P>::info(variant)))
                         throw std::invalid_argument("calibration: '" + encoding.variant +
                                                     "' is encoded differently by this program");
                       const std::size_t floats = encoding.floats();
                       const PositionEncoder<P> encoder(encoding);
                       std::vector<float> planes(count * floats);
                       // Every third position: neighbours are alike. (The generator's sequence is
                       // the same everywhere; distributions of the standard library's are not.)
                       constexpr std::uint64_t kSeed = 2, kStride = 3;
                       std::mt19937_64 rng(kSeed);
                       std::size_t taken = 0;
                       while (taken < count) {
                         PositionHistory<P> game(P::start(variant));
                         for (std::size_t ply = 0; taken < count && !is_over(game.outcome());
                              ++ply) {
                           if (ply % kStride == 0)
                             encoder.encode(game.position(), game.repetitions(),
                                            std::span(planes).subspan(taken++ * floats, floats));
                           typename P::MoveList moves;
                           game.position().legal_moves(moves);
                           game.play(moves[rng() % moves.size()]);
                         }
                       }
                       return planes;
                     });
}

}  // namespace faultline
