// The encoding of a run's games.
#pragma once

#include "model/encoding/encoding.h"
#include "record/config.h"

namespace faultline {

/// That of the run's variant, with planes of attacks if its network sees them.
EncodingInfo encoding_of_run(const Config& config);

}  // namespace faultline
