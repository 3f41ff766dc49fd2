// Values built once and kept until the program ends: variants and their tables.
#pragma once

#include <map>
#include <memory>
#include <mutex>

namespace faultline {

/// One value a key, built at first use. Addresses stay; any thread may ask.
template <class Key, class Value>
class Interned {
 public:
  /// The value of `key`; `make(key)` builds it if it is asked for the first time.
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
