// Replaces operator new and delete with counting versions.
#include "tests/fuzz/allocations.h"

#include <cstdlib>
#include <new>

namespace {
std::size_t allocated = 0;
}

// The form that does not throw is replaced too: a sanitizer's own would not match the operator
// delete below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocated += size;
  return std::malloc(size > 0 ? size : 1);
}
void* operator new(std::size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
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
