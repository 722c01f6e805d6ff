// Leads from the number that a callback of the library brings to the object that it is for, if that
// is still there: the library may call back after a connection is closed. Thread-safe.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace reveal::bus {

template <typename T>
class AckRegistry {
 public:
  // Returns the number of an object, as the library carries it.
  void* add(std::weak_ptr<T> object) {
    const std::lock_guard lock(mutex_);
    objects_.emplace(++last_, std::move(object));
    return std::bit_cast<void*>(last_);
  }
  void remove(void* number) {
    const std::lock_guard lock(mutex_);
    objects_.erase(std::bit_cast<std::uintptr_t>(number));
  }
  // Returns null if it is gone.
  std::shared_ptr<T> find(void* number) {
    const std::lock_guard lock(mutex_);
    const auto found = objects_.find(std::bit_cast<std::uintptr_t>(number));
    return found == objects_.end() ? nullptr : found->second.lock();
  }

 private:
  std::mutex mutex_;
  std::uintptr_t last_ = 0;
  std::map<std::uintptr_t, std::weak_ptr<T>> objects_;
};

}  // namespace reveal::bus
