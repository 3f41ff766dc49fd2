// The last error of each thread, and keeping exceptions inside the library: no function of
// faultline.h may throw.
#pragma once

#include <stdexcept>
#include <string>

#include "library/faultline.h"

namespace faultline {

/// An error with its number in faultline.h.
class LibraryError : public std::runtime_error {
 public:
  LibraryError(faultline_error code, const std::string& message)
      : std::runtime_error(message), code_(code) {}
  faultline_error code() const { return code_; }

 private:
  faultline_error code_;
};

/// Makes what was caught the thread's last error, and returns its number; for catch clauses.
int store_caught_error() noexcept;

/// What `call` returns, a pointer, or null if it throws.
template <class Call>
auto pointer_of(Call&& call) noexcept -> decltype(call()) {
  try {
    return call();
  } catch (...) {
    store_caught_error();
    return nullptr;
  }
}

/// What `call` returns, a number, or the error's number if it throws.
template <class Call>
auto number_of(Call&& call) noexcept -> decltype(call()) {
  try {
    return call();
  } catch (...) {
    return store_caught_error();
  }
}

/// FAULTLINE_OK, or the error's number if `call` throws.
template <class Call>
int status_of(Call&& call) noexcept {
  return number_of([&] {
    call();
    return int{FAULTLINE_OK};
  });
}

/// Throws LibraryError for a null pointer; `name`: of the parameter.
template <class T>
T& given(T* argument, const char* name) {
  if (argument == nullptr)
    throw LibraryError(FAULTLINE_ERROR_ARGUMENT, std::string("'") + name + "' is a null pointer");
  return *argument;
}

}  // namespace faultline
