// Networks, engines and openings, kept from one match to the next.
#include "lab/player_resources.h"

#include <utility>

#include "base/machine_shortage.h"
#include "engine/uci_engine_pool.h"
#include "model/checkpoint.h"

namespace faultline {
namespace {

/// Openings that take more memory than this are not kept.
constexpr std::size_t kMostOpeningBytes = std::size_t{512} << 20U;

}  // namespace

PlayerResources::PlayerResources(const BackendRegistry& backends, const DeviceOptions& options)
    : backends_(&backends), options_(options), choice_(choose_inference(backends, options, {})) {}
PlayerResources::~PlayerResources() = default;

std::shared_ptr<Backend> PlayerResources::backend(const std::filesystem::path& net,
                                                  const EncodingInfo& encoding,
                                                  std::optional<Precision> precision) {
  DeviceOptions own = options_;
  if (precision) own.precision = precision_choice(*precision);
  const InferenceChoice choice = precision ? choose_inference(*backends_, own, {}) : choice_;
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<Backend>& backend = networks_[{net.string(), encoding.variant, choice.precision}];
  if (!backend) backend = load_backend(net, encoding, *backends_, backend_options(choice));
  return backend;
}

std::shared_ptr<UciEnginePool> PlayerResources::engines(const std::string& engine,
                                                        const std::string& variant) {
  const std::scoped_lock lock(mutex_);
  std::shared_ptr<UciEnginePool>& pool = engines_[{engine, variant}];
  if (!pool) pool = std::make_shared<UciEnginePool>(parse_uci_engine_spec(engine), variant);
  return pool;
}

std::shared_ptr<void> PlayerResources::reserve(const std::shared_ptr<UciEnginePool>& engines,
                                               int processes) {
  // The ends of its three streams, and one more while it is started; itself, and a thread that
  // searches.
  constexpr std::size_t kFiles = 4, kTasks = 2;
  engines->expect(processes);
  std::shared_ptr<void> reserved(static_cast<void*>(nullptr),
                                 [engines, processes](void*) { engines->expect(-processes); });
  std::size_t more = 0;
  {
    const std::scoped_lock lock(mutex_);
    for (const auto& [name, pool] : engines_)
      more += static_cast<std::size_t>(pool->to_be_started());
  }
  require_files(kFiles * more);
  require_tasks(kTasks * more);
  return reserved;
}

std::shared_ptr<void> PlayerResources::take_openings(const std::string& key) {
  const std::scoped_lock lock(mutex_);
  const auto found = openings_.find(key);
  if (found == openings_.end()) return nullptr;
  opening_bytes_ -= found->second.bytes;
  auto openings = std::move(found->second.openings);
  openings_.erase(found);
  return openings;
}

void PlayerResources::leave_openings(const std::string& key, std::shared_ptr<void> openings,
                                     std::size_t bytes) {
  const std::scoped_lock lock(mutex_);
  if (opening_bytes_ + bytes > kMostOpeningBytes || openings_.contains(key)) return;
  opening_bytes_ += bytes;
  openings_[key] = {std::move(openings), bytes};
}

}  // namespace faultline
