// What a person asks of a cluster, and what it shows.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "base/document.h"
#include "cluster/post.h"

namespace faultline {

/// Actors, rates, networks, what waits to be taken, and what is wrong: as the learner reports it,
/// and as its folder shows it. Watches for some seconds whether the learner is there. Throws
/// RunError if no learner has served there.
Document cluster_document(const Post& post, const PostSettings& settings = {});
/// The same without waiting: `report` is learner.json's, and `alive` whether its beat goes on.
Document cluster_document(const Post& post, const nlohmann::json& report, bool alive);
/// What a report that was just heard says of a learner elsewhere (hear_report()), without what only
/// its folder shows. `place`: where it serves. Throws RunError if that is no report.
Document cluster_document(const nlohmann::json& report, const std::string& place);

/// Asks the actors to finish their games and end ("drain"), all processes to end now ("stop"), or
/// takes it back (""). Throws RunError if no learner has served there.
void ask_of_cluster(const Post& post, const std::string& what);

}  // namespace faultline
