// Slots, their states, and the threads that own the devices.
#include "model/inference/batch_service.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

#include "model/inference/folded_network.h"

namespace faultline {
namespace {

using Clock = std::chrono::steady_clock;

/// Batches that a device has at a time. A large GPU computes several side by side faster than one
/// after another (docs/measurements.md).
constexpr std::size_t kFlying = 4;
/// Batches that a thread should have in flight, and their positions: enough for slots to fill while
/// the thread has other leaves to gather (shared among the threads of a GPU's host).
constexpr std::size_t kParts = 4, kBestPart = 256;
/// How often the device is asked once a batch is nearly done.
constexpr std::chrono::microseconds kPoll{50};
/// A slot's room for moves is that of its first part, in proportion, and a bit.
constexpr std::size_t room_for(std::size_t moves, std::size_t count, std::size_t positions) {
  return std::max(moves, (moves + count - 1) / count * positions * 5 / 4);
}

enum class SlotState : std::uint8_t { Free, Open, Closed, Flying, Done };
constexpr std::array kStateNames = {"free", "open", "closed", "in flight", "done"};

struct Device;

struct Slot {
  Device* device = nullptr;
  std::size_t number = 0;
  SlotState state = SlotState::Free;
  std::size_t network = 0;  // which of the device's two it is computed with
  std::size_t positions = 0, moves = 0, most_positions = 0, most_moves = 0;
  std::size_t writing = 0;       // ranges that are reserved and not written
  std::size_t parts = 0;         // that refer to it
  std::size_t waiting = 0;       // of them, those that were submitted and have no results
  Clock::time_point since = {};  // its first reservation, or its submission to the device
  std::array<std::shared_ptr<Backend>, 2> backend = {};  // of `batch`, by network
  std::array<std::unique_ptr<BackendBatch>, 2> batch = {};
  NetworkIdentity identity = {};
  std::condition_variable done = {};
};

struct Network {
  std::shared_ptr<Backend> backend = nullptr;
  NetworkIdentity identity = {};
  std::size_t used = 0;  // slots that are or will be computed with it
};

/// Everything is guarded by the service's mutex.
struct Device {
  MakeBackend make;
  std::array<Network, 2> networks = {};
  std::size_t current = 0;  // the network of new slots
  std::vector<std::unique_ptr<Slot>> slots = {};
  Slot* open = nullptr;
  std::deque<Slot*> closed = {}, flying = {};
  Clock::duration usual = {};  // how long batches take, one after another: a moving mean
  /// Since when its thread is in a call that should return soon.
  std::optional<Clock::time_point> busy = {};
  std::condition_variable work = {};    // something for its thread to do
  std::condition_variable unused = {};  // a network's last slot is done
  ServedBatches served = {};
  std::thread thread = {};
  bool ended = false;
};

}  // namespace

class BatchService::Core : public std::enable_shared_from_this<Core> {
 public:
  Core(std::vector<MakeBackend> makers, const FoldedNetwork& network,
       const NetworkIdentity& identity, const ServiceSettings& settings)
      : settings_(settings) {
    if (makers.empty()) throw std::invalid_argument("a batch service needs a device");
    for (MakeBackend& make : makers) {
      auto device = std::make_unique<Device>();
      device->networks[0] = {.backend = make(network), .identity = identity};
      device->make = std::move(make);
      devices_.push_back(std::move(device));
    }
    attributes_ = devices_.front()->networks[0].backend->attributes();
    for (std::size_t d = 1; d < devices_.size(); ++d)
      attributes_.device += "," + devices_[d]->networks[0].backend->attributes().device;
    attributes_.in_flight = kParts;
    attributes_.best_batch = std::min(kBestPart, settings.slot);
    const auto batch = devices_.front()->networks[0].backend->make_batch();
    floats_ = batch->floats();
    bit_planes_ = batch->plane_count();
  }

  void start() {
    for (const auto& device : devices_)
      device->thread =
          std::thread([self = shared_from_this(), d = device.get()] { self->run(*d); });
  }
  void stop() {
    std::unique_lock lock(mutex_);
    stopping_ = true;
    for (const auto& device : devices_)
      device->work.notify_all();
    for (const auto& device : devices_) {
      ended_.wait_for(lock, settings_.longest, [&] { return device->ended; });
      if (!device->ended) device->thread.detach();
    }
    lock.unlock();
    for (const auto& device : devices_)
      if (device->thread.joinable()) device->thread.join();
  }

  const BackendAttributes& attributes() const { return attributes_; }
  std::size_t floats() const { return floats_; }
  std::size_t bit_planes() const { return bit_planes_; }
  std::string describe() {
    const std::scoped_lock lock(mutex_);
    const Device& first = *devices_.front();
    return first.networks[first.current].backend->describe() + ", batches shared by all threads" +
           (devices_.size() == 1 ? "" : " on each of " + attributes_.device);
  }
  std::vector<ServedBatches> served() {
    const std::scoped_lock lock(mutex_);
    std::vector<ServedBatches> all;
    for (const auto& device : devices_)
      all.push_back(device->served);
    return all;
  }

  void part_made() {
    const std::scoped_lock lock(mutex_);
    ++idle_parts_;
  }
  void part_gone() {
    const std::scoped_lock lock(mutex_);
    --idle_parts_;
    wake_if_all_wait();
  }

  /// Calls `show(slot, first position, first move)` with the range.
  template <class Show>
  void reserve(std::size_t count, std::size_t moves, Show&& show) {
    const std::scoped_lock lock(mutex_);
    throw_failure();
    Device& device = emptiest();
    if (device.open != nullptr && (device.open->positions + count > device.open->most_positions ||
                                   device.open->moves + moves > device.open->most_moves))
      close(device);
    if (device.open == nullptr) open(device, count, moves);
    Slot& slot = *device.open;
    show(slot, slot.positions, slot.moves);
    slot.positions += count;
    slot.moves += moves;
    ++slot.writing;
    ++slot.parts;
    if (slot.positions + count > slot.most_positions) close(device);  // no room for another one
  }

  /// A range is written, by a part that waits for its results or one that was given up.
  void written(Slot& slot, bool waits) {
    const std::scoped_lock lock(mutex_);
    --slot.writing;
    if (waits) {
      ++slot.waiting;
      --idle_parts_;
    }
    if (slot.writing == 0) slot.device->work.notify_one();
    wake_if_all_wait();
  }

  void wait(Slot& slot) {
    std::unique_lock lock(mutex_);
    while (slot.state != SlotState::Done) {
      throw_failure();
      slot.done.wait_for(lock, settings_.longest);
      const Device& device = *slot.device;
      if (device.busy && Clock::now() - *device.busy > settings_.longest)
        fail(std::make_exception_ptr(std::runtime_error(dead(device, "does not return"))));
    }
  }
  bool is_done(const Slot& slot) {
    const std::scoped_lock lock(mutex_);
    return failure_ != nullptr || slot.state == SlotState::Done;
  }

  /// A part no longer refers to the slot.
  void release(Slot& slot) {
    const std::scoped_lock lock(mutex_);
    if (--slot.parts == 0 && slot.state == SlotState::Done) slot.state = SlotState::Free;
  }

  void replace(const FoldedNetwork& folded, const NetworkIdentity& identity) {
    for (const auto& device : devices_) {
      std::unique_lock lock(mutex_);
      const std::size_t idle = 1 - device->current;
      Network& network = device->networks[idle];
      device->unused.wait(lock, [&] { return network.used == 0 || failure_ != nullptr; });
      throw_failure();
      auto backend = network.backend;
      lock.unlock();
      if (!backend || !backend->replace(folded, identity)) backend = device->make(folded);
      lock.lock();
      network.backend = std::move(backend);
      network.identity = identity;
      device->current = idle;
      if (device->open != nullptr) close(*device);  // its network is the old one
    }
  }

 private:
  void throw_failure() const {
    if (failure_ != nullptr) std::rethrow_exception(failure_);
  }
  void fail(std::exception_ptr why) {
    if (failure_ == nullptr) failure_ = std::move(why);
    for (const auto& device : devices_) {
      device->work.notify_all();
      device->unused.notify_all();
      for (const auto& slot : device->slots)
        slot->done.notify_all();
    }
  }
  static std::string dead(const Device& device, const std::string& what) {
    std::string text =
        "the device " + device.networks[0].backend->attributes().device + " " + what + ": ";
    for (const auto& slot : device.slots) {
      if (slot->state == SlotState::Free || slot->state == SlotState::Done) continue;
      const auto passed =
          std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - slot->since);
      text += (text.ends_with(": ") ? "slot " : "; slot ") + std::to_string(slot->number) + " " +
              kStateNames.at(static_cast<std::size_t>(slot->state)) + " for " +
              std::to_string(passed.count()) + " ms with " + std::to_string(slot->positions) +
              " positions, " + std::to_string(slot->writing) + " ranges being written";
    }
    return text;
  }

  /// The device with the fewest batches before it; of several the one whose open slot is fullest,
  /// so that slots fill one after another.
  Device& emptiest() {
    const auto load = [](const std::unique_ptr<Device>& device) {
      return std::pair(
          device->closed.size() + device->flying.size(),
          -static_cast<std::ptrdiff_t>(device->open == nullptr ? 0 : device->open->positions));
    };
    return **std::ranges::min_element(devices_, {}, load);
  }

  void open(Device& device, std::size_t count, std::size_t moves) {
    auto found = std::ranges::find(device.slots, SlotState::Free, &Slot::state);
    if (found == device.slots.end()) {
      auto made = std::make_unique<Slot>();
      made->device = &device;
      made->number = device.slots.size();
      found = device.slots.insert(found, std::move(made));
    }
    Slot& slot = **found;
    slot.network = device.current;
    Network& network = device.networks[slot.network];
    auto& batch = slot.batch[slot.network];
    auto& owner = slot.backend[slot.network];
    if (owner != network.backend) {
      batch.reset();  // before its backend
      owner = network.backend;
      batch = owner->make_batch();
    }
    slot.most_positions = std::max(settings_.slot, count);
    slot.most_moves = room_for(moves, count, slot.most_positions);
    batch->resize(slot.most_positions, slot.most_moves);
    slot.positions = slot.moves = slot.writing = slot.parts = slot.waiting = 0;
    slot.identity = network.identity;
    slot.since = Clock::now();
    slot.state = SlotState::Open;
    ++network.used;
    device.open = &slot;
    device.work.notify_one();
  }

  void close(Device& device) {
    Slot& slot = *std::exchange(device.open, nullptr);
    slot.state = SlotState::Closed;
    device.closed.push_back(&slot);
    device.work.notify_one();
  }

  void wake_if_all_wait() {
    if (idle_parts_ > 0) return;
    for (const auto& device : devices_)
      if (device->open != nullptr) device->work.notify_one();
  }

  /// A device's thread.
  void run(Device& device) {
    std::unique_lock lock(mutex_);
    try {
      while (!stopping_ && failure_ == nullptr)
        if (!finish_one(device, lock) && !submit_one(device, lock)) sleep(device, lock);
    } catch (...) {
      if (!lock) lock.lock();
      device.busy.reset();
      fail(std::current_exception());
    }
    device.ended = true;
    ended_.notify_all();
  }

  bool finish_one(Device& device, std::unique_lock<std::mutex>& lock) {
    if (device.flying.empty()) return false;
    Slot& slot = *device.flying.front();
    Backend& backend = *slot.backend[slot.network];
    BackendBatch& batch = *slot.batch[slot.network];
    const auto passed = Clock::now() - slot.since;
    if (!called(device, lock, [&] { return backend.is_done(batch); })) {
      if (passed > settings_.longest) throw std::runtime_error(dead(device, "has not answered"));
      return false;
    }
    called(device, lock, [&] {
      backend.wait(batch);
      return true;
    });
    device.flying.pop_front();
    device.usual += (passed - device.usual) / 4;  // of those side by side some take no time
    if (!device.flying.empty()) device.flying.front()->since = Clock::now();
    ++device.served.batches;
    device.served.positions += slot.positions;
    slot.state = slot.parts == 0 ? SlotState::Free : SlotState::Done;
    idle_parts_ += static_cast<std::ptrdiff_t>(slot.waiting);
    slot.done.notify_all();
    if (--device.networks[slot.network].used == 0) device.unused.notify_all();
    return true;
  }

  bool submit_one(Device& device, std::unique_lock<std::mutex>& lock) {
    if (device.flying.size() >= kFlying) return false;
    if (device.closed.empty() && device.flying.empty() && device.open != nullptr &&
        (idle_parts_ <= 0 || Clock::now() - device.open->since >= settings_.patience))
      close(device);
    const auto ready = std::ranges::find(device.closed, std::size_t{0}, &Slot::writing);
    if (ready == device.closed.end()) return false;
    Slot& slot = **ready;
    device.closed.erase(ready);
    slot.state = SlotState::Flying;
    slot.since = Clock::now();
    device.flying.push_back(&slot);
    called(device, lock, [&] {
      BackendBatch& batch = *slot.batch[slot.network];
      batch.resize(slot.positions, slot.moves);
      batch.first_move()[0] = 0;
      slot.backend[slot.network]->submit(batch);
      return true;
    });
    return true;
  }

  /// Until there may be something to do.
  void sleep(Device& device, std::unique_lock<std::mutex>& lock) const {
    if (!device.flying.empty()) {
      // Devices do not say when they are done. Nothing is lost if that is seen a little later: the
      // next batch is there already.
      const auto nearly = device.flying.front()->since + device.usual * 3 / 4;
      device.work.wait_until(lock, std::max(nearly, Clock::now() + kPoll));
    } else if (device.open != nullptr && device.closed.empty()) {
      device.work.wait_until(lock, device.open->since + settings_.patience);
    } else {
      device.work.wait(lock);
    }
  }

  /// Calls the device without the lock.
  template <class Call>
  bool called(Device& device, std::unique_lock<std::mutex>& lock, Call&& call) {
    device.busy = Clock::now();
    lock.unlock();
    const bool result = call();
    lock.lock();
    device.busy.reset();
    return result;
  }

  const ServiceSettings settings_;
  BackendAttributes attributes_;
  std::size_t floats_ = 0, bit_planes_ = 0;  // of the devices' batches
  std::mutex mutex_;
  std::vector<std::unique_ptr<Device>> devices_;
  std::ptrdiff_t idle_parts_ = 0;  // that do not wait for results
  std::exception_ptr failure_;
  bool stopping_ = false;
  std::condition_variable ended_;
};

/// A thread's batch: a range of a slot.
class BatchService::Part final : public BackendBatch {
 public:
  explicit Part(std::shared_ptr<Core> core)
      : BackendBatch(core->floats(), core->bit_planes()), core_(std::move(core)) {
    core_->part_made();
  }
  ~Part() override {
    give_up();
    core_->part_gone();
  }

  void resize(std::size_t count, std::size_t moves) override {
    give_up();
    if (count == 0) {
      BackendBatch::resize(0, 0);
      return;
    }
    core_->reserve(count, moves, [&](Slot& slot, std::size_t position, std::size_t move) {
      BackendBatch& batch = *slot.batch[slot.network];
      show_part(batch, position, count, move, moves);
      offsets_ = batch.first_move().subspan(position + 1, count);
      first_ = static_cast<std::uint32_t>(move);
      slot_ = &slot;
      state_ = State::Writing;
    });
  }
  std::optional<NetworkIdentity> network() const override {
    return slot_ == nullptr ? std::nullopt : std::optional(slot_->identity);
  }

  void submit() {
    if (state_ != State::Writing) throw std::invalid_argument("batch: submitted twice");
    pack();
    write_offsets();
    state_ = State::Submitted;
    core_->written(*slot_, true);
  }
  void wait() {
    if (state_ == State::Submitted) core_->wait(*slot_);
  }
  bool is_done() const { return state_ != State::Submitted || core_->is_done(*slot_); }

 private:
  enum class State : std::uint8_t { Empty, Writing, Submitted };

  // Of no positions.
  std::span<float> allocate_planes(std::size_t) override { return {}; }
  BitPlanes allocate_bits(std::size_t, std::size_t) override { return {}; }
  void write_offsets() {
    const auto own = first_move();
    for (std::size_t i = 0; i < count(); ++i)
      offsets_[i] = first_ + own[i + 1];
  }

  /// Leaves the slot, with something that can be computed if it was not written.
  void give_up() {
    if (slot_ == nullptr) return;
    if (state_ == State::Writing) {
      std::ranges::fill(planes(), 0.0F);
      pack();
      std::ranges::fill(moves(), PolicyIndex{});
      std::ranges::fill(first_move(), static_cast<std::uint32_t>(move_count()));
      write_offsets();
      core_->written(*slot_, false);
    }
    core_->release(*std::exchange(slot_, nullptr));
    state_ = State::Empty;
  }

  std::shared_ptr<Core> core_;
  Slot* slot_ = nullptr;
  std::span<std::uint32_t> offsets_;  // the slot's, after each of the positions
  std::uint32_t first_ = 0;           // the slot's moves before the first
  State state_ = State::Empty;
};

BatchService::BatchService(std::vector<MakeBackend> devices, const FoldedNetwork& network,
                           const NetworkIdentity& identity, const ServiceSettings& settings)
    : core_(std::make_shared<Core>(std::move(devices), network, identity, settings)) {
  core_->start();
}
BatchService::~BatchService() {
  core_->stop();
}

const BackendAttributes& BatchService::attributes() const {
  return core_->attributes();
}
std::unique_ptr<BackendBatch> BatchService::make_batch() const {
  return std::make_unique<Part>(core_);
}

namespace {

template <class Part, class Batch>
Part& part_of_service(Batch& batch) {
  auto* const part = dynamic_cast<Part*>(&batch);
  if (part == nullptr)
    throw std::invalid_argument("batch: made by another backend than the one it is submitted to");
  return *part;
}

}  // namespace

void BatchService::submit(BackendBatch& batch) {
  auto& part = part_of_service<Part>(batch);
  if (part.count() > 0) part.submit();
}
void BatchService::wait(BackendBatch& batch) {
  part_of_service<Part>(batch).wait();
}
bool BatchService::is_done(const BackendBatch& batch) const {
  return part_of_service<const Part>(batch).is_done();
}
bool BatchService::replace(const FoldedNetwork& network, const NetworkIdentity& identity) {
  core_->replace(network, identity);
  return true;
}
std::string BatchService::describe() const {
  return core_->describe();
}
std::vector<ServedBatches> BatchService::served() const {
  return core_->served();
}

}  // namespace faultline
