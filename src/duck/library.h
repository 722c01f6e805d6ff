// DuckDB's shared library, loaded when SQL or Parquet is asked for: it is 70 MB, which neither the
// recorder nor the analysis shall need. Any version whose C API is that of 1.4 will do.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "duck/api.h"

namespace reveal::duck {

// Returns the one command that installs the library for this user, where places() looks; for a
// processor that the library is not handed out for, what to do instead.
std::string install_duckdb_command();

class Library {
 public:
  // Loads the library: the one that REVEAL_DUCKDB_LIB names if that is set, else the first of
  // places(). It stays loaded: threads of its own may outlive a database. Fails with kAbsent if
  // there is none, or one that lacks a function.
  static base::Result<Library> load();

  // Returns where load() looks, in order: beside the program, where its build or its installation
  // puts the library, in the user's own folder, and where the system looks.
  static std::vector<std::filesystem::path> places();

  const Api& api() const { return *api_; }
  std::string version() const { return api_->library_version(); }

 private:
  explicit Library(std::shared_ptr<const Api> api) : api_(std::move(api)) {}

  std::shared_ptr<const Api> api_;
};

}  // namespace reveal::duck
