// The heads after their convolution.
#include "model/inference/network_heads.h"

#include <algorithm>

namespace faultline {

NetworkHeads::NetworkHeads(const FoldedNetwork& network)
    : height_(static_cast<std::size_t>(network.encoding.height)),
      width_(static_cast<std::size_t>(network.encoding.width)),
      boards_(static_cast<std::size_t>(network.board_count())),
      policy_{.dim = static_cast<std::size_t>(network.config.policy_dim),
              .levels = static_cast<std::size_t>(network.cell_levels()),
              .boards = boards_,
              .kind_queries = network.kind_queries.values,
              .kind_biases = network.kind_biases.values},
      value_begin_(static_cast<std::size_t>(2 * network.query_channels())),
      value_channels_(static_cast<std::size_t>(network.config.value_channels)),
      value_hidden_(make_dense(network.value_hidden)),
      value_out_(make_dense(network.value_out)) {}

void NetworkHeads::begin(HostBatch& batch) const {
  batch.seen_.resize(batch.count() * boards_ * value_hidden_.inputs());
  batch.boards_.clear();
  batch.all_boards_ = 0;
}

void NetworkHeads::read(HostBatch& batch, std::size_t position, std::size_t boards,
                        const CellPlaces& places, const float* heads) const {
  const std::size_t begin = batch.first_move()[position], end = batch.first_move()[position + 1];
  policy_.logits(places, heads, batch.moves().subspan(begin, end - begin),
                 batch.logits().data() + begin);
  float* seen = batch.seen_.data() + batch.all_boards_ * value_hidden_.inputs();
  batch.boards_.push_back(boards);
  batch.all_boards_ += boards;
  for (std::size_t board = 0; board < boards; ++board)
    for (std::size_t row = 0; row < height_; ++row)
      for (std::size_t column = 0; column < width_; ++column) {
        const float* const from = heads + board * places.board_stride + row * places.row_stride +
                                  column * places.cell_stride + value_begin_;
        for (std::size_t c = 0; c < value_channels_; ++c)
          *seen++ = std::max(from[c], 0.0F);
      }
}

void NetworkHeads::finish(HostBatch& batch) const {
  const std::size_t count = batch.count();
  const std::size_t width = value_hidden_.outputs();
  batch.hidden_.resize(batch.all_boards_ * width);
  batch.raw_.resize(count * value_out_.outputs());
  value_hidden_.apply(batch.seen_.data(), batch.all_boards_, batch.hidden_.data(), true);
  const float* hidden = batch.hidden_.data();
  if (boards_ > 1) {
    batch.summed_.assign(count * width, 0.0F);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t board = 0; board < batch.boards_[i]; ++board, hidden += width)
        for (std::size_t h = 0; h < width; ++h)
          batch.summed_[i * width + h] += hidden[h];
    hidden = batch.summed_.data();
  }
  value_out_.apply(hidden, count, batch.raw_.data(), false);
  batch.finish_outputs(batch.raw_);
}

}  // namespace faultline
