// The inference backends available to a program, by name.
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

/// The user's choice of backend.
struct BackendOptions {
  std::string device = "auto";  // "cpu", "cuda", "cuda:1", "auto" (the fastest available)
  Precision precision = Precision::Fp32;
  std::string backend = {};  // its name; empty: the best for device and precision
};

/// One kind of backend.
struct BackendInfo {
  std::string name;  // "cpu"
  std::string help;  // one line, with its devices and precisions
  /// The backend's attributes with these options, or nothing if it does not support them. Throws
  /// std::invalid_argument for a device that it knows but that is absent.
  std::function<std::optional<BackendAttributes>(const BackendOptions&)> attributes;
  /// Makes the backend; only for options for which `attributes` returns a value.
  std::function<std::shared_ptr<Backend>(const FoldedNetwork&, const BackendOptions&)> create;
};

/// Filled by calls to register_NAME_backend(registry), so that a program has exactly the backends
/// it registers and the linker drops none. Must not be changed while others read it.
class BackendRegistry {
 public:
  /// Throws std::invalid_argument if the name is taken. Earlier ones are preferred if several run
  /// the same options on a CPU.
  void add(BackendInfo info);
  const std::vector<BackendInfo>& all() const { return backends_; }
  /// Throws std::invalid_argument with the known names and the nearest of them.
  const BackendInfo& find(std::string_view name) const;

  /// The attributes of what create() would make. Throws std::invalid_argument if no backend runs
  /// the options.
  BackendAttributes attributes(const BackendOptions& options) const;
  /// Makes a backend. A network without activation ranges gets those of random games for int8.
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

/// "onednn", if the program was built with oneDNN, and "cpu": for programs without LibTorch.
const BackendRegistry& cpu_backends();

}  // namespace faultline
