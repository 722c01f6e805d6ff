// The functions of a library that is loaded when it is needed (dlopen).
#pragma once

#include <cstdlib>

#include <dlfcn.h>

namespace reveal::base {

// Loads the library that the variable of the environment names, else `file`. Returns null if it
// cannot be loaded; dlerror() then says why.
inline void* open_library(const char* variable, const char* file) {
  const char* named = std::getenv(variable);
  const bool is_named = named != nullptr && *named != '\0';
  return ::dlopen(is_named ? named : file, RTLD_NOW | RTLD_LOCAL);
}

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
