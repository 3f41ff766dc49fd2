// Positions on which a network's activation ranges can be measured when there are no games.
#pragma once

#include <cstddef>
#include <vector>

#include "model/encoding/encoding.h"

namespace faultline {

/// `count` positions of random games of `encoding.variant`, encoded: [count, planes, height,
/// width]. The same each time. Throws VariantError for an unknown variant and std::invalid_argument
/// if its encoding is another one now.
std::vector<float> random_game_planes(const EncodingInfo& encoding, std::size_t count);

}  // namespace faultline
