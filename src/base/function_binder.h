// The functions of a library that is loaded when it is needed (dlopen).
#pragma once

#include <dlfcn.h>

namespace reveal::base {

// Looks functions up by name, and remembers the first that is not there.
class FunctionBinder {
 public:
  // `library`: what dlopen() returned.
  explicit FunctionBinder(void* library) : library_(library) {}

  template <typename Function>
  void operator()(Function& out, const char* name) {
    out = reinterpret_cast<Function>(::dlsym(library_, name));
    if (out == nullptr && missing_ == nullptr) missing_ = name;
  }
  // Returns the first name that the library does not have, or null if it has all.
  const char* missing() const { return missing_; }

 private:
  void* library_;
  const char* missing_ = nullptr;
};

}  // namespace reveal::base
