#include "perf/pfm_library.h"

#include <cstdlib>

#include <dlfcn.h>
#include <fmt/format.h>
#include <perfmon/pfmlib_perf_event.h>

namespace reveal::perf {

struct PfmLibrary::Functions {
  decltype(&::pfm_initialize) initialize;
  decltype(&::pfm_get_os_event_encoding) encode;
  decltype(&::pfm_strerror) strerror;
};

namespace {

template <typename Function>
bool find(void* handle, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(handle, name));
  return function != nullptr;
}

// libpfm4 encodes for processors other than this one only if the environment says so when it
// starts. The variable is taken back at once: CMD would inherit it.
int start(decltype(&::pfm_initialize) initialize) {
  const bool was_set = std::getenv("LIBPFM_ENCODE_INACTIVE") != nullptr;
  if (!was_set) ::setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
  const int outcome = initialize();
  if (!was_set) ::unsetenv("LIBPFM_ENCODE_INACTIVE");
  return outcome;
}

base::Unexpected absent(std::string what) {
  return base::fail(base::ErrorKind::kAbsent, std::move(what), "perf events by vendors' names",
                    "apt-get install libpfm4");
}

}  // namespace

base::Result<PfmLibrary> PfmLibrary::load(const char* name) {
  void* handle = ::dlopen(name, RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) return absent(fmt::format("cannot be encoded: {}", ::dlerror()));
  auto functions = std::make_shared<Functions>();
  if (!find(handle, "pfm_initialize", functions->initialize) ||
      !find(handle, "pfm_get_os_event_encoding", functions->encode) ||
      !find(handle, "pfm_strerror", functions->strerror)) {
    return absent(fmt::format("cannot be encoded: {} is not libpfm4", name));
  }
  if (const int outcome = start(functions->initialize); outcome != PFM_SUCCESS) {
    return absent(fmt::format("cannot be encoded: libpfm4 does not start ({})",
                              functions->strerror(outcome)));
  }
  return PfmLibrary(std::move(functions));
}

base::Result<EventCode> PfmLibrary::encode(const std::string& event) const {
  perf_event_attr attr{};
  pfm_perf_encode_arg_t encoding{};
  encoding.attr = &attr;
  encoding.size = sizeof(encoding);
  const int outcome =
      functions_->encode(event.c_str(), PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &encoding);
  if (outcome != PFM_SUCCESS) {
    return base::fail(
        base::ErrorKind::kAbsent,
        fmt::format("not among the events of this processor ({})", functions_->strerror(outcome)),
        "perf event " + event);
  }
  return EventCode{attr.type, attr.config, attr.config1, attr.config2, 0, 0};
}

}  // namespace reveal::perf
