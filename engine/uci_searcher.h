// An external UCI engine as a searcher.
#pragma once

#include <memory>

#include "engine/uci_engine_pool.h"
#include "search/searcher.h"

namespace faultline {

/// The moves of an engine of `pool`, whose variant must be one of P's. The search takes place in
/// the first gather() and adds no leaf. The searcher occupies one process from its first search
/// until it is destroyed; after a failure the process is ended, and the next search starts another.
///
/// Limits are those of the pool's specification, or else SearchLimits::nodes, depth and time; one
/// must be set unless SearchLimits::stop is. Throws SearcherFailure if the engine crashes, is
/// silent (engine/uci_client.h), or answers with no legal move; the message holds the last lines of
/// its stderr.
///
/// The result's value is the engine's win, draw and loss rates if it reports them (`UCI_ShowWDL`);
/// otherwise its expected score at a logistic scale of 400 centipawns per factor of ten, without
/// draws. The policy is the move alone.
template <Position P>
std::unique_ptr<Searcher<P>> make_uci_searcher(std::shared_ptr<UciEnginePool> pool);

}  // namespace faultline
