#include "heap_bytes.h"

#include <atomic>
#include <cstdlib>
#include <new>

#include <malloc.h>

namespace {

struct Bytes {
  std::atomic<std::size_t> now{0};
  std::atomic<std::size_t> most{0};
};

Bytes& bytes() {
  static Bytes out;
  return out;
}

std::size_t size_of(void* memory) {
  return ::malloc_usable_size(memory) + sizeof(std::size_t);
}

void* take(std::size_t size) {
  void* memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) return memory;
  auto& count = bytes();
  const std::size_t now = count.now += size_of(memory);
  std::size_t most = count.most;
  while (now > most && !count.most.compare_exchange_weak(most, now)) {
  }
  return memory;
}

void give_back(void* memory) {
  if (memory == nullptr) return;
  bytes().now -= size_of(memory);
  std::free(memory);
}

}  // namespace

std::size_t heap_bytes() {
  return bytes().now;
}

std::size_t most_heap_bytes() {
  return bytes().most;
}

void forget_most_heap_bytes() {
  bytes().most = bytes().now.load();
}

void* operator new(std::size_t size) {
  if (void* memory = take(size)) return memory;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return take(size);
}
void operator delete(void* memory) noexcept {
  give_back(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  give_back(memory);
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
  give_back(memory);
}
