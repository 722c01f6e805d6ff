// What tests of a ledger begin with: an empty one, in a file of SQLite or on a PostgreSQL server.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/temp_dir.h"
#include "ledger/ledger.h"
#include "ledger/testing/postgres_server.h"

namespace reveal::ledger {

// A ledger of either kind, that can be opened again.
class InADatabase : public testing::TestWithParam<Dialect> {
 protected:
  void SetUp() override {
    if (GetParam() == Dialect::kPostgres) {
      if (PostgresServer::programs().empty()) GTEST_SKIP() << "no PostgreSQL (make deps-test)";
      server.emplace();
    }
    reopen();
  }
  void reopen() {
    ledger.reset();
    auto opened = Ledger::open(where());
    ASSERT_TRUE(opened) << opened.error().message();
    ledger.emplace(std::move(*opened));
  }
  std::string where() const {
    return server ? server->url() : (folder.path() / "fleet.db").string();
  }
  std::unique_ptr<Database> another() const {
    auto out = open_database(where(), Access::kWrite);
    EXPECT_TRUE(out) << out.error().message();
    return std::move(*out);
  }
  std::vector<Row> rows(const std::string& statement) {
    auto out = ledger->database().query(statement);
    EXPECT_TRUE(out) << out.error().message();
    return out ? *out : std::vector<Row>();
  }

  base::TempDir folder;
  std::optional<PostgresServer> server;
  std::optional<Ledger> ledger;
};

}  // namespace reveal::ledger
