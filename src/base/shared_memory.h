// Memory that processes share, behind a descriptor that a child inherits.
#pragma once

#include <cstddef>
#include <utility>

#include "base/result.h"
#include "base/unique_fd.h"

namespace reveal::base {

class SharedBytes {
 public:
  // Makes `size` bytes, all zero. The descriptor is not closed on exec.
  static Result<SharedBytes> create(const char* name, std::size_t size);
  // Maps the memory behind a descriptor that was inherited, which is closed on exec from now on.
  // Fails with `otherwise` if it is not of that size.
  static Result<SharedBytes> open(int fd, std::size_t size, Error otherwise);

  SharedBytes(SharedBytes&& other) noexcept
      : fd_(std::move(other.fd_)), at_(std::exchange(other.at_, nullptr)), size_(other.size_) {}
  SharedBytes& operator=(SharedBytes&&) = delete;
  SharedBytes(const SharedBytes&) = delete;
  SharedBytes& operator=(const SharedBytes&) = delete;
  ~SharedBytes();

  int fd() const { return fd_.get(); }
  void* at() const { return at_; }

 private:
  SharedBytes(UniqueFd fd, void* at, std::size_t size) : fd_(std::move(fd)), at_(at), size_(size) {}
  static Result<SharedBytes> map(UniqueFd fd, std::size_t size);

  UniqueFd fd_;
  void* at_;
  std::size_t size_;
};

// The same as an object. REQUIRES: zero bytes are a T, and both processes are the same program.
template <typename T>
class SharedMemory {
 public:
  static Result<SharedMemory> create(const char* name) {
    return SharedBytes::create(name, sizeof(T)).map(&SharedMemory::of);
  }
  static Result<SharedMemory> open(int fd, Error otherwise) {
    return SharedBytes::open(fd, sizeof(T), std::move(otherwise)).map(&SharedMemory::of);
  }

  int fd() const { return bytes_.fd(); }
  T* operator->() const { return static_cast<T*>(bytes_.at()); }

 private:
  explicit SharedMemory(SharedBytes bytes) : bytes_(std::move(bytes)) {}
  static SharedMemory of(SharedBytes bytes) { return SharedMemory(std::move(bytes)); }

  SharedBytes bytes_;
};

}  // namespace reveal::base
