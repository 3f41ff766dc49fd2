// The backends that a program can run networks with, by name.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/inference/backend.h"
#include "model/inference/folded_network.h"
#include "model/inference/precision.h"

namespace faultline {

/// What a user asks for.
struct BackendOptions {
  std::string device = "auto";  // "cpu", "cuda", "cuda:1", "auto" (the fastest that is there)
  Precision precision = Precision::Fp32;
  std::string backend = {};  // its name; empty: the best for device and precision
};

/// One kind of backend.
struct BackendInfo {
  std::string name;  // "cpu"
  std::string help;  // one line, with its devices and precisions
  /// What it would be with these options, or nothing if it does not run them. Throws
  /// std::invalid_argument for a device that it knows and that is not there.
  std::function<std::optional<BackendAttributes>(const BackendOptions&)> attributes;
  /// Only with options that `attributes` has an answer for.
  std::function<std::shared_ptr<Backend>(const FoldedNetwork&, const BackendOptions&)> create;
};

/// Filled by calls of register_NAME_backend(registry), so that a program has the backends that it
/// links and asks for, and a linker drops none. Not to be changed while others read.
class BackendRegistry {
 public:
  /// Throws std::invalid_argument if the name is taken. Earlier ones are preferred where several
  /// run the same options on a CPU.
  void add(BackendInfo info);
  const std::vector<BackendInfo>& all() const { return backends_; }
  /// Throws std::invalid_argument with the names there are and the nearest of them.
  const BackendInfo& find(std::string_view name) const;

  /// What create() would make. Throws std::invalid_argument if no backend runs the options.
  BackendAttributes attributes(const BackendOptions& options) const;
  std::shared_ptr<Backend> create(const NetworkValues& network,
                                  const BackendOptions& options) const;

 private:
  struct Choice {
    const BackendInfo* info;
    BackendAttributes attributes;
  };
  Choice choose(const BackendOptions& options) const;

  std::vector<BackendInfo> backends_;
};

/// "cpu" alone: what programs without LibTorch choose from.
const BackendRegistry& cpu_backends();

}  // namespace faultline
