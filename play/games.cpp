// The implementations of play/game.h for every family, by name.
#include "base/interned.h"
#include "model/encoding/encoders.h"
#include "play/game_of.h"
#include "rules/families.h"

namespace faultline {

const Game& find_game(std::string_view variant_name) {
  static Interned<std::string, std::unique_ptr<const Game>> games;
  return with_family(
      parse_variant_name(variant_name),
      []<Position P>(std::type_identity<P>, const typename P::Variant& variant) -> const Game& {
        return *games.get(variant.canonical_name(), [&](const std::string&) {
          return std::unique_ptr<const Game>(std::make_unique<GameOf<P>>(variant));
        });
      });
}

}  // namespace faultline
