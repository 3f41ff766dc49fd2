// Whether a bundle is what it says: its hashes, its positions, and the outputs of its network as
// computed by somebody else's program. A bundle is not trusted, but its TorchScript is a program
// and is run.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "model/export/module_io.h"

namespace faultline {

/// Makes the network of a TorchScript file's bytes ready to run. Throws ExportError.
using LoadModule = std::function<LoadedModule(const std::string& bytes)>;

struct BundleCheck {
  std::size_t positions = 0;        // evaluated
  double largest_probability = 0;   // difference of any probability from the golden one
  double largest_moves_left = 0;    // relative
  std::string furthest;             // where the first of them was: "position 17 (FEN), e2e4"
  std::vector<std::string> faults;  // empty: the bundle is good. At most twenty
};

/// Throws ExportError for what is not a bundle at all, or one that this program cannot judge: of
/// another format, or with another encoding of its variant.
BundleCheck check_bundle(const std::filesystem::path& file, const LoadModule& load_module);

}  // namespace faultline
