// Replaces operator new and delete with counting versions.
#include "tests/fuzz/allocations.h"

#include <cstdlib>
#include <new>

namespace {
std::size_t allocated = 0;
}

void* operator new(std::size_t size) {
  allocated += size;
  if (void* memory = std::malloc(size > 0 ? size : 1)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

std::size_t faultline::fuzz::allocated_bytes() {
  return allocated;
}
