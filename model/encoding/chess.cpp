// The network encoding of chess: 20 planes on 8x8, seen from the side to move (ranks mirrored).
#include "rules/families/chess.h"

#include "model/encoding/encoder_impl.h"
#include "model/fast/fast_encoder_impl.h"

namespace faultline {

template <>
struct FamilyEncoding<ChessPosition> : RectangleEncoding<ChessPosition, BlackView::MirrorRanks> {
  static const Planes<ChessPosition>& planes() {
    using P = ChessPosition;
    static const Planes<P> planes = {
        .of_level = joined<P>({en_passant_plane<P>(), castling_planes<P>(), counter_planes<P>()})};
    return planes;
  }
};
template struct Encoder<ChessPosition>;
template struct FastEncoder<ChessPosition>;

}  // namespace faultline
