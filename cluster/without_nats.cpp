// Service over NATS in a program that was built without it.
#include <nlohmann/json.hpp>

#include "cluster/over_nats.h"
#include "record/run_folder.h"

namespace faultline {
namespace {

[[noreturn]] void refuse(const NatsPlace& place) {
  throw RunError(place.url() +
                 ": this program was built without NATS: install libnats (scripts/setup --cluster) "
                 "and configure "
                 "with -DFAULTLINE_CLUSTER=ON, or use a shared folder");
}

}  // namespace

std::unique_ptr<Courier> serve_over_nats(const Config&, RunPersistence&, const NatsPlace& place,
                                         LoadNet, const NatsSettings&) {
  refuse(place);
}

std::unique_ptr<NatsSpool> join_over_nats(const NatsPlace& place, const std::filesystem::path&,
                                          const NatsSettings&) {
  refuse(place);
}

nlohmann::json hear_report(const NatsPlace& place, const NatsSettings&) {
  refuse(place);
}

}  // namespace faultline
