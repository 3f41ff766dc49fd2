// Checkpoints for those who play with a network.
#include "model/checkpoint.h"

#include <string_view>

#include "base/quote.h"
#include "model/checkpoint_file.h"

namespace faultline {

CheckpointInfo read_checkpoint_info(const std::filesystem::path& path) {
  return info_of(CheckpointFile::read(path), path);
}

void require_encoding(const std::filesystem::path& path, const EncodingInfo& found,
                      const EncodingInfo& expected) {
  if (found == expected) return;
  if (found.family != expected.family)
    throw CheckpointError(
        path, "is for the family " + quote(found.family) + "; expected " + quote(expected.family));
  if (found.variant != expected.variant)
    throw CheckpointError(path, "is for the variant " + quote(found.variant, 100) + "; expected " +
                                    quote(expected.variant, 100));
  if (found.version != expected.version)
    throw CheckpointError(path, "has version " + std::to_string(found.version) + " of the " +
                                    found.family + " encoding; expected " +
                                    std::to_string(expected.version));
  throw CheckpointError(path,
                        "describes its planes or policy kinds otherwise than this program "
                        "does for version " +
                            std::to_string(expected.version) + " of the " + found.family +
                            " encoding");
}

std::shared_ptr<Backend> load_backend(const std::filesystem::path& path,
                                      const EncodingInfo& expected, const BackendRegistry& backends,
                                      const BackendOptions& options) {
  const auto file = CheckpointFile::read(path);
  const CheckpointInfo info = info_of(file, path);
  require_encoding(path, info.encoding, expected);
  return backends.create(
      read_values(file, path, info.has_ema ? WeightsPart::Ema : WeightsPart::Trained), options);
}

}  // namespace faultline
