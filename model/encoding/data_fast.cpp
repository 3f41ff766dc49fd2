// The layout of inputs of fast networks for games of files, and the inputs themselves.
#include <limits>
#include <string>

#include "model/encoding/data_fast_inputs.h"
#include "model/fast/fast_encoder.h"

namespace faultline {

using data::DataEncoding;
using data::DataPlane;

template <class B>
FastLayout DataFastEncoder<B>::layout(const Variant& game) {
  const auto& encoding = DataEncoding<B>::of(game);
  const EncodingInfo& info = encoding.info();
  FastLayout layout;
  layout.family = info.family;
  layout.levels = info.levels;
  const auto types = static_cast<std::size_t>(encoding.types());
  for (const char* view : {"", "Black's view: "}) {
    if (encoding.views_are_alike() && *view != '\0') break;
    // Planes of the first level's pieces come first.
    for (std::size_t i = 0; i < 2 * types; ++i) {
      std::string name = info.planes[i];
      if (info.levels > 1) name = name.substr(name.find(": ") + 2);
      layout.groups.push_back({.name = view + name, .size = info.policy_cells(), .by_cell = true});
    }
  }
  if (info.levels > 1) layout.groups.push_back({.name = "levels", .size = info.levels});
  for (const DataPlane<B>& plane : encoding.planes())
    if (plane.is_input())
      layout.groups.push_back(
          {.name = plane.name,
           .size = plane.is_number() ? plane.high - plane.low + 1 : info.cells(),
           .by_cell = !plane.is_number()});
  constexpr std::size_t kMost = std::numeric_limits<std::uint16_t>::max();
  if (layout.inputs() > kMost)
    throw FastNetworkError("a fast network of " + info.variant + " would have " +
                           std::to_string(layout.inputs()) + " inputs, more than " +
                           std::to_string(kMost));
  return layout;
}

template <class B>
void DataFastEncoder<B>::inputs(const P& position, Colour view, bool mirrored,
                                std::vector<std::uint16_t>& inputs) {
  const auto& encoding = DataEncoding<B>::of(position.game());
  const data::FastInputs<B> each{&encoding};
  const auto add = [&](int input) { inputs.push_back(static_cast<std::uint16_t>(input)); };
  if (mirrored && encoding.mirrors())
    each.mirrored(position, view, add);
  else
    each(position, view, add);
}

template struct DataFastEncoder<Bitboard>;
template struct DataFastEncoder<WideBitboard>;
template struct DataFastEncoder<StackedBitboard>;

}  // namespace faultline
