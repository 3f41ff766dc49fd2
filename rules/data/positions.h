// Position types of games of files, by the size of their boards.
#pragma once

#include "rules/data/data_position.h"

namespace faultline {

using DataPosition64 = data::DataPosition<Bitboard>;
using DataPosition128 = data::DataPosition<WideBitboard>;
using DataPosition384 = data::DataPosition<StackedBitboard>;

}  // namespace faultline
