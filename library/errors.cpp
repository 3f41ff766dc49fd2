// The last error of each thread.
#include "library/errors.h"

#include <exception>
#include <new>

#include "model/checkpoint.h"
#include "model/fast/fast_network.h"
#include "rules/position.h"
#include "rules/variant.h"

namespace faultline {
namespace {

struct LastError {
  int code = FAULTLINE_OK;
  std::string message = {};
};

LastError& last_error() {
  thread_local LastError error;
  return error;
}

int store(faultline_error code, const char* message) noexcept {
  LastError& error = last_error();
  error.code = code;
  try {
    error.message = message;
  } catch (...) {
    error.message.clear();  // there is no memory for it
  }
  return code;
}

}  // namespace

int store_caught_error() noexcept {
  try {
    throw;
  } catch (const LibraryError& error) {
    return store(error.code(), error.what());
  } catch (const VariantError& error) {
    return store(FAULTLINE_ERROR_VARIANT, error.what());
  } catch (const FenError& error) {
    return store(FAULTLINE_ERROR_FEN, error.what());
  } catch (const CheckpointError& error) {
    return store(FAULTLINE_ERROR_NETWORK, error.what());
  } catch (const FastNetworkError& error) {
    return store(FAULTLINE_ERROR_NETWORK, error.what());
  } catch (const std::invalid_argument& error) {
    return store(FAULTLINE_ERROR_ARGUMENT, error.what());
  } catch (const std::bad_alloc&) {
    return store(FAULTLINE_ERROR_MEMORY, "there is not enough memory");
  } catch (const std::exception& error) {
    return store(FAULTLINE_ERROR_OTHER, error.what());
  } catch (...) {
    return store(FAULTLINE_ERROR_OTHER, "an unknown error");
  }
}

}  // namespace faultline

const char* faultline_last_error(void) {
  return faultline::last_error().message.c_str();
}

int faultline_last_error_code(void) {
  return faultline::last_error().code;
}
