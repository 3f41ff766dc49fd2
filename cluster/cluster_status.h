// What a person asks of a cluster, and what it shows.
#pragma once

#include <string>

#include "base/document.h"
#include "cluster/post.h"

namespace faultline {

/// Actors, rates, networks, what waits to be taken, and what is wrong: as the learner reports it,
/// and as its folder shows it. Watches for some seconds whether the learner is there. Throws
/// RunError if no learner has served there.
Document cluster_document(const Post& post, const PostSettings& settings = {});

/// Asks the actors to finish their games and end ("drain"), all processes to end now ("stop"), or
/// takes it back (""). Throws RunError if no learner has served there.
void ask_of_cluster(const Post& post, const std::string& what);

}  // namespace faultline
