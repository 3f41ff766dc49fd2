// Reading what is to be exported.
#include "model/export/export_source.h"

#include <fmt/format.h>

#include "base/json_text.h"
#include "model/checkpoint_file.h"
#include "model/export/bundle.h"
#include "model/export/encoding_description.h"
#include "model/fast/fast_file.h"
#include "model/net_search.h"
#include "model/network_description.h"

namespace faultline {

ExportSource read_export_source(const std::filesystem::path& checkpoint) {
  const CheckpointFile file = CheckpointFile::read(checkpoint);
  ExportSource source;
  source.info = info_of(file, checkpoint);
  if (!source.info.has_network)
    throw ExportError(fmt::format("{}: has a fast network alone, which --format fast exports",
                                  checkpoint.string()));
  source.network = fold(read_values(file, checkpoint));
  source.encoding = describe_encoding(source.info.encoding);
  if (const NetSearch search = net_search(checkpoint); search.notice.empty())
    source.search = to_json(search.settings);
  if (const auto trainer = read_fast_training(file, checkpoint))
    source.fast = trainer->network(source.info.encoding.variant);
  return source;
}

nlohmann::ordered_json network_json(const ExportSource& source, const ExportOptions& options) {
  nlohmann::ordered_json json = {{"net", to_json(source.info.net)},
                                 {"size", describe(source.info.net)},
                                 {"parameters", source.info.parameters},
                                 {"steps", source.info.steps},
                                 {"weights", fmt::format("{:016x}", source.info.weights_hash)},
                                 {"precision", name(options.precision)},
                                 {"policy", name(options.policy)},
                                 {"moves_left_scale", kMovesLeftScale}};
  if (!source.search.is_null()) json[kSearchKey] = source.search;
  if (source.network.ranges) json[kRangesKey] = source.network.ranges->values;
  return json;
}

ExportMetadata export_metadata(const ExportSource& source, const ExportOptions& options) {
  return {{"encoding", json_text(source.encoding)},
          {"network", json_text(network_json(source, options))}};
}

}  // namespace faultline
