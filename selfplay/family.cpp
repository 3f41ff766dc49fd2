// Self-play of the family that a variant's name names.
#include "selfplay/family.h"

#include <type_traits>

#include "rules/families.h"

namespace faultline {

std::unique_ptr<Actor> make_actor(const Config& config, const std::optional<StrategyText>& strategy,
                                  const ActorLinks& links, ActorCounts& counts) {
  return with_family(parse_variant_name(config.run.variant),
                     [&]<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
                       return make_family_actor<P>(variant, config, strategy, links, counts);
                     });
}

std::vector<float> search_again(const Config& config, const PlayingNet& net, const GameRecord& game,
                                std::span<const std::size_t> plies) {
  return with_family(parse_variant_name(config.run.variant),
                     [&]<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
                       return search_family_again<P>(variant, config, net, game, plies);
                     });
}

std::unique_ptr<const GameReplayer> make_game_replayer(const std::string& variant) {
  return with_family(parse_variant_name(variant),
                     []<Position P>(std::type_identity<P>, const typename P::Variant& parsed) {
                       return make_family_replayer<P>(parsed);
                     });
}

}  // namespace faultline
