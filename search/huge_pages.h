// Memory that is read at random: in huge pages, with which reads seldom miss the TLB.
#pragma once

#include <cstddef>
#include <memory>

namespace faultline {

struct FreePages {
  std::size_t alignment = 0;
  void operator()(std::byte* memory) const noexcept;
};
using Pages = std::unique_ptr<std::byte, FreePages>;

/// Aligned to a cache line at least; null if the system has not so much. Memory of several MiB asks
/// for huge pages, where there are any.
Pages allocate_pages(std::size_t bytes);

}  // namespace faultline
