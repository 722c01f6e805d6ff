// For tests that need DuckDB: if it is not installed they are skipped, saying what installs it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "duck/session.h"

namespace reveal::duck {

class DuckdbTest : public testing::Test {
 protected:
  void SetUp() override {
    auto loaded = Library::load();
    // Absent is not a failure; there but unusable is.
    if (!loaded && loaded.error().what.find("is not installed") != std::string::npos) {
      GTEST_SKIP() << loaded.error().message() << " or: tools/install_duckdb.sh build/deps/duckdb";
    }
    ASSERT_TRUE(loaded) << loaded.error().message();
    library_.emplace(*loaded);
  }

  const Library& library() const { return *library_; }

  Session session(const SessionOptions& options = {}) const {
    auto opened = Session::open(library(), options);
    EXPECT_TRUE(opened) << opened.error().message();
    return std::move(*opened);
  }

  // Returns the rows, NULL as "NULL"; a failure as its message, in one cell.
  static std::vector<std::vector<std::string>> rows(Session& session, const std::string& sql) {
    auto result = session.query(sql);
    if (!result) return {{result.error().message()}};
    std::vector<std::vector<std::string>> out;
    for (auto row = result->next(); !row.empty(); row = result->next()) {
      out.emplace_back();
      for (const ResultCell& cell : row) out.back().emplace_back(cell.value_or("NULL"));
    }
    return out;
  }

 private:
  std::optional<Library> library_;
};

}  // namespace reveal::duck
