// Gardner in strategies: the general predicates only.
#include "strategy/families.h"

namespace faultline {

std::vector<Predicate<GardnerPosition>> own_predicates(const GardnerVariant&) {
  return {};
}

FamilyBehaviour<GardnerPosition> own_behaviour(const GardnerVariant&) {
  return {};
}

std::vector<std::string> square_names(const GardnerVariant&) {
  return names_of(BoardGraph::rectangle(GardnerPosition::kFiles, GardnerPosition::kRanks));
}

}  // namespace faultline
