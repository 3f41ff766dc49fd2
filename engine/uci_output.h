// The engine's output: whole lines, from any thread.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/quote.h"

namespace faultline {

class UciOutput {
 public:
  /// `write` gets one or more whole lines with their line feeds, is called by one thread at a time,
  /// and must pass them on at once.
  explicit UciOutput(std::function<void(std::string_view)> write) : write_(std::move(write)) {}

  void write(std::string_view lines) {
    const std::lock_guard lock(mutex_);
    write_(lines);
  }
  /// `text` may come from users or files: it is cut and made printable.
  void info_string(std::string_view text) { write("info string " + printable(text, 1000) + "\n"); }

 private:
  std::mutex mutex_;
  std::function<void(std::string_view)> write_;
};

}  // namespace faultline
