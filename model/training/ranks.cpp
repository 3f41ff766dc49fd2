// Processes that train one network together, by c10d's Gloo.
#include "model/training/ranks.h"

#if defined(FAULTLINE_RANKS) && defined(USE_C10D_GLOO)
#include <chrono>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/GradMode.h>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

namespace faultline {
namespace {

template <class Action>
void guarded(const Action& action) {
  try {
    action();
  } catch (const std::exception& error) {  // c10::Error with a stack, gloo's own
    const std::string what = error.what();
    throw RankError(what.substr(0, what.find('\n')));
  }
}

}  // namespace

bool has_ranks() {
  return true;
}

struct Ranks::Group {
  c10::intrusive_ptr<c10d::Store> store;
  std::unique_ptr<c10d::ProcessGroupGloo> gloo;
};

Ranks::Ranks(const std::filesystem::path& meeting, int rank, int size)
    : rank_(rank), size_(size), group_(std::make_unique<Group>()) {
  using c10d::ProcessGroupGloo;
  guarded([&] {
    group_->store = c10::make_intrusive<c10d::FileStore>(meeting.string(), size);
    const auto options = ProcessGroupGloo::Options::create();
    options->devices.push_back(ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
    options->threads = 1;
    options->timeout = std::chrono::minutes(5);
    group_->gloo = std::make_unique<ProcessGroupGloo>(group_->store, rank, size, options);
  });
}
Ranks::~Ranks() = default;

void Ranks::mean(const at::Tensor& tensor) {
  const c10::NoGradGuard no_grad;
  guarded([&] {
    std::vector<at::Tensor> values{tensor.to(at::kCPU)};
    group_->gloo->allreduce(values)->wait();
    tensor.copy_(values.front().div_(size_));
  });
}

void Ranks::send(int to, const std::string& message) {
  guarded([&] {
    const auto length = static_cast<std::int64_t>(message.size());
    std::vector<at::Tensor> size{at::full({1}, length, at::kLong)};
    group_->gloo->send(size, to, 0)->wait();
    std::vector<at::Tensor> bytes{
        at::from_blob(const_cast<char*>(message.data()), {length}, at::kByte)};
    group_->gloo->send(bytes, to, 0)->wait();
  });
}

std::string Ranks::receive(int from) {
  std::string message;
  guarded([&] {
    std::vector<at::Tensor> size{at::zeros({1}, at::kLong)};
    // Whoever dies closes its connections.
    group_->gloo->recv(size, from, 0)->wait(std::chrono::hours(24 * 365));
    message.resize(static_cast<std::size_t>(size.front().item<std::int64_t>()));
    std::vector<at::Tensor> bytes{
        at::from_blob(message.data(), {static_cast<std::int64_t>(message.size())}, at::kByte)};
    group_->gloo->recv(bytes, from, 0)->wait();
  });
  return message;
}

}  // namespace faultline
#else
namespace faultline {

bool has_ranks() {
  return false;
}

struct Ranks::Group {};

Ranks::Ranks(const std::filesystem::path&, int, int) : rank_(0), size_(0) {
  throw RankError("this program was built without c10d's Gloo (Debian: libgloo-dev)");
}
Ranks::~Ranks() = default;
void Ranks::mean(const at::Tensor&) {}
void Ranks::send(int, const std::string&) {}
std::string Ranks::receive(int) {
  return {};
}

}  // namespace faultline
#endif
