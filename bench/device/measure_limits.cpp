// bench_device limits: what the device can do at most.
#include "bench/device/device_limits.h"
#include "bench/device/parts.h"

namespace faultline::bench {

using nlohmann::ordered_json;

void measure_limits(const Settings& settings, Results& results) {
  const std::string& device = settings.device;
  const auto measure = [&](const std::string& what, auto&& rate) {
    results.measure({{"part", "limits"}, {"what", what}}, [&]() -> ordered_json {
      return {{"value", rate()}};
    });
  };
  for (const MatrixFormat format : settings.formats)
    measure("matrix " + name(format), [&] { return matrix_rate(device, format); });
  measure("copy", [&] { return copy_rate(device); });
  if (!settings.on_cpu()) {
    measure("to device", [&] { return transfer_rate(device, true); });
    measure("from device", [&] { return transfer_rate(device, false); });
  }
  measure("operation", [&] { return operation_seconds(device); });
}

}  // namespace faultline::bench
