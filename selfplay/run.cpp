// A training run with LibTorch's trainer and oneTBB's threads.
#include "selfplay/run.h"

#include <memory>
#include <type_traits>

#include "model/checkpoint.h"
#include "model/encoding/encoders.h"
#include "rules/families.h"
#include "selfplay/network_trainer.h"
#include "selfplay/run_inference.h"
#include "selfplay/training_session.h"

namespace faultline {

RunResult run_training(const Config& given, const RunOptions& options) {
  const Config config =
      options.choose_again ? without_choices_of_the_run(given, options.folder) : given;
  require_device(config);  // before the folder is created
  return with_family(
      parse_variant_name(config.run.variant),
      [&]<Position P>(std::type_identity<P>, const typename P::Variant& variant) {
        const EncodingInfo& encoding = Encoder<P>::info(variant);
        if (!options.init_from.empty())
          require_fitting_encoding(options.init_from,
                                   read_checkpoint_info(options.init_from).encoding, encoding);
        return run_session<P>(
            variant, config, options,
            [&](RunPersistence& persistence) {
              const InferenceChoice inference =
                  settle_inference(config, options, persistence, encoding);
              return std::make_unique<NetworkTrainer<P>>(
                  variant, make_trainer(config, options, persistence, encoding, inference.device),
                  inference);
            },
            run_in_arena);
      });
}

}  // namespace faultline
