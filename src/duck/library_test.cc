#include "duck/library.h"

#include <cstdlib>

#include <gmock/gmock.h>

#include "duck/testing/duckdb_fixture.h"

namespace reveal::duck {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// REVEAL_DUCKDB_LIB for one test, as it was afterwards.
class Named {
 public:
  explicit Named(const char* path) {
    if (const char* before = std::getenv(kVariable)) before_ = before;
    ::setenv(kVariable, path, 1);
  }
  Named(const Named&) = delete;
  Named& operator=(const Named&) = delete;
  ~Named() {
    if (before_) {
      ::setenv(kVariable, before_->c_str(), 1);
    } else {
      ::unsetenv(kVariable);
    }
  }

 private:
  static constexpr const char* kVariable = "REVEAL_DUCKDB_LIB";
  std::optional<std::string> before_;
};

TEST(Library, AbsentSaysWhereItLookedAndWhatInstallsIt) {
  const Named named("/nonexistent/libduckdb.so");
  const auto loaded = Library::load();
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().kind, base::ErrorKind::kAbsent);
  EXPECT_THAT(loaded.error().message(),
              AllOf(HasSubstr("/nonexistent/libduckdb.so"), HasSubstr("REVEAL_DUCKDB_LIB"),
                    HasSubstr("npm install --prefix ~/.local/lib/reveal @duckdb/")));
}

TEST(Library, AnotherLibraryIsNotTakenForIt) {
  const Named named("libm.so.6");
  const auto loaded = Library::load();
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message(), HasSubstr("it has no duckdb_"));
}

TEST(Library, LooksInTheUsersFolderAndBesideTheProgram) {
  const char* home = std::getenv("HOME");
  ASSERT_NE(home, nullptr);
  std::vector<std::string> places;
  for (const auto& place : Library::places()) places.push_back(place.string());
  EXPECT_THAT(places, testing::Contains(std::string(home) + "/.local/lib/reveal/libduckdb.so"));
  EXPECT_THAT(places, testing::Contains(testing::EndsWith("/exchange_test")).Times(0));
  EXPECT_EQ(places.back(), "libduckdb.so");  // the system's own, after all that is ours
}

TEST_F(DuckdbTest, IsOfAVersionThatWasTried) {
  EXPECT_THAT(library().version(), testing::MatchesRegex("v1\\.[45]\\.[0-9]+"));
}

}  // namespace
}  // namespace reveal::duck
