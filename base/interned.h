// Values built once and kept for the lifetime of the program: variants and their tables.
#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace faultline {

/// One value per key, built on first use. Addresses are stable; safe to call from any thread.
template <class Key, class Value>
class Interned {
 public:
  /// The value of `key`; `make(key)` builds it on first use.
  template <class Make>
  const Value& get(const Key& key, Make&& make) {
    const std::lock_guard lock(mutex_);
    auto& value = values_[key];
    if (!value) value = std::make_unique<const Value>(make(key));
    return *value;
  }

 private:
  std::mutex mutex_;
  std::map<Key, std::unique_ptr<const Value>> values_;  // guarded by mutex_
};

}  // namespace faultline
