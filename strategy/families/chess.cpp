// Chess in strategies: the general predicates only.
#include "strategy/families.h"

namespace faultline {

std::vector<Predicate<ChessPosition>> own_predicates(const ChessVariant&) {
  return {};
}

FamilyBehaviour<ChessPosition> own_behaviour(const ChessVariant&) {
  return {};
}

std::vector<std::string> square_names(const ChessVariant&) {
  return names_of(BoardGraph::rectangle(8, 8));
}

}  // namespace faultline
