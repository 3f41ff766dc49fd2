// The encoding of a run's games.
#include "selfplay/run_encoding.h"

#include <type_traits>

#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "rules/families.h"

namespace faultline {

EncodingInfo encoding_of_run(const Config& config) {
  return with_family(parse_variant_name(config.run.variant),
                     [&]<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
                       const EncodingInfo& family = Encoder<P>::info(variant);
                       return config.net.attack_planes ? with_attack_planes(family) : family;
                     });
}

}  // namespace faultline
