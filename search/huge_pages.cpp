// Asks the system for huge pages.
#include "search/huge_pages.h"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace faultline {

void FreePages::operator()(std::byte* memory) const noexcept {
  ::operator delete (memory, std::align_val_t{alignment});
}

Pages allocate_pages(std::size_t bytes) {
  constexpr std::size_t kCacheLine = 64;
  constexpr std::size_t kHugePage = std::size_t{2} << 20;
  const std::size_t alignment = bytes < 2 * kHugePage ? kCacheLine : kHugePage;
  auto* const memory =
      static_cast<std::byte*>(::operator new (bytes, std::align_val_t{alignment}, std::nothrow));
#ifdef __linux__
  if (memory != nullptr && alignment == kHugePage)  // a wish: without it everything works
    static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
#endif
  return {memory, FreePages{alignment}};
}

}  // namespace faultline
