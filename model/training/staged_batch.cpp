// A training batch in a device's memory.
#include "model/training/staged_batch.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstring>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <thread>

#include <c10/core/impl/VirtualGuardImpl.h>

namespace faultline {
namespace {

std::int64_t power_of_two(std::int64_t least, std::int64_t value) {
  return std::max(least,
                  static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(value))));
}

}  // namespace

void wait_for(const c10::Event& event) {
  while (!event.query())
    std::this_thread::sleep_for(std::chrono::microseconds(50));
}

StagedShape StagedShape::of(const TrainBatch& batch) {
  StagedShape shape{static_cast<std::int64_t>(batch.count),
                    static_cast<std::int64_t>(batch.moves.size())};
  for (std::size_t i = 0; i < batch.count; ++i)
    shape.longest =
        std::max<std::int64_t>(shape.longest, batch.first_move[i + 1] - batch.first_move[i]);
  return shape;
}

StagedShape StagedShape::padded() const {
  // Moves of a batch hardly vary, so that an eighth of a power of two is enough.
  const std::int64_t step = power_of_two(8, moves + 1) / 8;
  return {positions, (moves + step - 1) / step * step, power_of_two(64, longest)};
}

StagedBatch::StagedBatch(const NetworkDescription& network, StagedShape shape, std::int64_t numbers,
                         at::Device device)
    : network_(&network),
      shape_(shape),
      hosts_{Host{{}, c10::Event(device.type()), false},
             Host{{}, c10::Event(device.type()), false}} {
  const EncodingInfo& encoding = network.encoding;
  std::int64_t bytes = 0;
  const auto part = [&](std::vector<std::int64_t> sizes, at::ScalarType type) {
    constexpr std::int64_t kAlignment = 256;  // as LibTorch's own tensors
    const Part made{bytes, std::move(sizes), type};
    const std::int64_t count =
        std::accumulate(made.shape.begin(), made.shape.end(), std::int64_t{1}, std::multiplies<>());
    bytes += count * static_cast<std::int64_t>(c10::elementSize(type));
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    return made;
  };
  planes_part_ =
      part({shape.positions, encoding.plane_count(), encoding.height, encoding.width}, at::kFloat);
  table_part_ = part({4, shape.moves}, at::kLong);
  policy_part_ = part({shape.moves}, at::kFloat);
  wdl_part_ = part({shape.positions, 3}, at::kFloat);
  moves_left_part_ = part({shape.positions}, at::kFloat);
  numbers_part_ = part({numbers}, at::kFloat);
  const auto boards = static_cast<std::int64_t>(network.boards.size());
  existing_part_ = part({network.config.share_levels ? shape.positions * boards : 0}, at::kLong);

  bytes_ = at::empty({bytes}, at::TensorOptions(device).dtype(at::kByte));
  for (Host& host : hosts_)
    host.bytes = at::zeros({bytes}, at::TensorOptions(at::kByte).pinned_memory(!device.is_cpu()));
  planes_ = on_device(planes_part_);
  policy_ = on_device(policy_part_);
  wdl_ = on_device(wdl_part_);
  moves_left_ = on_device(moves_left_part_);
  numbers_ = on_device(numbers_part_);
  const auto table = on_device(table_part_);
  moves_ = {.from = table[0],
            .to = table[1],
            .kind = table[2],
            .padded = table[3],
            .batch = shape.positions,
            .longest = shape.longest};
}

at::Tensor StagedBatch::on_device(const Part& part) const {
  const std::int64_t count =
      std::accumulate(part.shape.begin(), part.shape.end(), std::int64_t{1}, std::multiplies<>());
  return bytes_
      .narrow(0, part.begin, count * static_cast<std::int64_t>(c10::elementSize(part.type)))
      .view(part.type)
      .view(part.shape);
}

template <class T>
T* StagedBatch::on_host(const Part& part) {
  return reinterpret_cast<T*>(hosts_[next_].bytes.data_ptr<std::uint8_t>() + part.begin);
}

void StagedBatch::write(const TrainBatch& batch, std::span<const float> numbers) {
  const StagedShape own = StagedShape::of(batch);
  if (own.positions != shape_.positions || own.moves > shape_.moves ||
      own.longest > shape_.longest ||
      static_cast<std::int64_t>(numbers.size()) != numbers_part_.shape.front())
    throw std::invalid_argument("training batch: it does not fit the memory made for it");
  Host& host = hosts_[next_];
  if (host.in_use) wait_for(host.copied);
  std::ranges::copy(batch.planes, on_host<float>(planes_part_));
  std::ranges::copy(batch.wdl, on_host<float>(wdl_part_));
  std::ranges::copy(batch.moves_left, on_host<float>(moves_left_part_));
  std::ranges::copy(numbers, on_host<float>(numbers_part_));
  auto* const policy = on_host<float>(policy_part_);
  std::ranges::copy(batch.policy, policy);
  std::fill(policy + own.moves, policy + shape_.moves, 0.0F);
  auto* const table = on_host<std::int64_t>(table_part_);
  write_move_table(batch.moves, batch.first_move, *network_, shape_.longest,
                   {table, static_cast<std::size_t>(4 * shape_.moves)});
  if (existing_part_.shape.front() > 0) {
    const EncodingInfo& encoding = network_->encoding;
    auto* const rows = on_host<std::int64_t>(existing_part_);
    std::int64_t count = 0;
    for (std::size_t i = 0; i < batch.count; ++i) {
      const auto first = static_cast<std::int64_t>(i * network_->boards.size());
      const auto existing = static_cast<std::int64_t>(
          existing_boards(network_->boards, batch.planes.data() + i * encoding.floats(),
                          static_cast<std::size_t>(encoding.cells())));
      std::iota(rows + count, rows + count + existing, first);
      count += existing;
    }
    existing_ = on_device(existing_part_).narrow(0, 0, count);
  }
  bytes_.copy_(host.bytes, /*non_blocking=*/true);
  if (!bytes_.is_cpu()) {
    host.copied.record(
        c10::impl::VirtualGuardImpl(bytes_.device().type()).getStream(bytes_.device()));
    host.in_use = true;
  }
  next_ = 1 - next_;
}

}  // namespace faultline
