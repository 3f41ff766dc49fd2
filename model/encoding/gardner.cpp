// The network encoding of Gardner's minichess: 15 planes on 5x5, seen from the side to move (ranks
// mirrored).
#include "rules/families/gardner.h"

#include "model/encoding/encoder_impl.h"
#include "model/fast/fast_encoder_impl.h"

namespace faultline {

template <>
struct FamilyEncoding<GardnerPosition>
    : RectangleEncoding<GardnerPosition, BlackView::MirrorRanks, GardnerPosition::kFiles,
                        GardnerPosition::kRanks> {
  static const Planes<GardnerPosition>& planes() {
    static const Planes<GardnerPosition> planes = {.of_level = counter_planes<GardnerPosition>()};
    return planes;
  }
};
template struct Encoder<GardnerPosition>;
template struct FastEncoder<GardnerPosition>;

}  // namespace faultline
