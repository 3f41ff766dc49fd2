// Encodes positions of games of files.
#include <algorithm>
#include <cassert>
#include <vector>

#include "model/encoding/data_encoding.h"
#include "model/encoding/mirrored_planes.h"

namespace faultline {

using data::DataEncoding;
using data::DataPlane;

template <class B>
const EncodingInfo& DataEncoder<B>::info(const Variant& game) {
  return DataEncoding<B>::of(game).info();
}

namespace {

template <class B, class Writer>
void write_planes(const DataEncoding<B>& encoding, const data::DataPosition<B>& position,
                  int repetitions, Writer out) {
  const Colour mover = position.side_to_move();
  const auto& cells_of =
      encoding.canvas(position.tables()).cells[static_cast<std::size_t>(index(mover))];
  for (const DataPlane<B>& plane : encoding.planes()) {
    if (plane.is_number()) {
      const double number = encoding.number(position, repetitions, plane, mover);
      out.number(static_cast<float>(number / plane.divisor));
    } else {
      out.squares();
      for_each_square(encoding.squares(position, plane, mover),
                      [&](Square s) { out.mark(cells_of[s]); });
    }
  }
}

}  // namespace

template <class B>
void DataEncoder<B>::encode(const P& position, int repetitions, std::span<float> planes) {
  const auto& encoding = DataEncoding<B>::of(position.game());
  assert(planes.size() == encoding.info().floats());
  write_planes(encoding, position, repetitions,
               FloatPlaneWriter(planes, static_cast<std::size_t>(encoding.info().cells())));
}

template <class B>
void DataEncoder<B>::encode_bits(const P& position, int repetitions, const BitPlanes& planes) {
  const auto& encoding = DataEncoding<B>::of(position.game());
  write_planes(encoding, position, repetitions,
               BitPlaneWriter(planes, static_cast<std::size_t>(encoding.info().cells())));
}

template <class B>
PolicyIndex DataEncoder<B>::policy_index(const P& position, Move move) {
  return DataEncoding<B>::of(position.game()).policy_index(position, move);
}

template <class B>
std::int32_t DataEncoder<B>::policy_cell(const P& position, Square square) {
  const auto& encoding = DataEncoding<B>::of(position.game());
  return encoding.policy_cell(encoding.canvas(position.tables()), position.side_to_move(), square);
}

template <class B>
bool DataEncoder<B>::mirror(const P& position, std::span<float> planes,
                            std::span<PolicyIndex> moves) {
  const auto& encoding = DataEncoding<B>::of(position.game());
  if (!encoding.mirrors(position)) return false;
  const EncodingInfo& info = encoding.info();
  detail::mirror_files(planes, info.width, encoding.canvas(position.tables()).used_width);
  const auto cells = static_cast<std::size_t>(info.cells());
  const auto plane_at = [&](std::size_t i) { return planes.subspan(i * cells, cells); };
  for (std::size_t i = 0; i < encoding.planes().size(); ++i) {
    const DataPlane<B>& plane = encoding.planes()[i];
    if (plane.mirrored > static_cast<int>(i))
      std::ranges::swap_ranges(plane_at(i), plane_at(static_cast<std::size_t>(plane.mirrored)));
    if (plane.negated)
      for (float& value : plane_at(i))
        value = value == 0.0F ? 0.0F : -value;
  }
  for (PolicyIndex& move : moves)
    move = encoding.mirrored(position, move);
  return true;
}

template <class B>
EncodingDetails DataEncoder<B>::details(const Variant& game) {
  return DataEncoding<B>::of(game).details();
}

template struct DataEncoder<Bitboard>;
template struct DataEncoder<WideBitboard>;
template struct DataEncoder<StackedBitboard>;

}  // namespace faultline
