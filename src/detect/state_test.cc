#include "detect/state.h"

#include <gtest/gtest.h>

namespace reveal::detect {
namespace {

TEST(State, WhatIsWrittenIsReadBack) {
  const Eigen::MatrixXd matrix = Eigen::MatrixXd::Random(3, 5);
  StateWriter out;
  out.count(7);
  out.number(-0.1);
  out.text("name");
  out.texts(std::vector<std::string>{"a", "", "c"});
  out.integers(std::vector<std::int32_t>{-1, 4});
  out.matrix(matrix);
  out.vector(matrix.col(1));
  StateReader in(out.bytes());
  EXPECT_EQ(in.count(), 7u);
  EXPECT_EQ(in.number(), -0.1);
  EXPECT_EQ(in.text(), "name");
  EXPECT_EQ(in.texts(), (std::vector<std::string>{"a", "", "c"}));
  EXPECT_EQ(in.integers(), (std::vector<std::int32_t>{-1, 4}));
  EXPECT_EQ(in.matrix(), matrix);
  EXPECT_EQ(in.vector(), matrix.col(1));
  EXPECT_TRUE(in.done());
}

TEST(State, WhatIsCutOffIsNeverMadeUp) {
  StateWriter out;
  out.texts(std::vector<std::string>{"first", "second"});
  out.matrix(Eigen::MatrixXd::Ones(4, 4));
  for (std::size_t size = 0; size < out.bytes().size(); ++size) {
    StateReader in(std::string_view(out.bytes()).substr(0, size));
    in.texts();
    in.matrix();
    EXPECT_FALSE(in.ok()) << size;
  }
}

TEST(State, ALengthBeyondTheEndIsRefusedBeforeMemoryIsTakenForIt) {
  StateWriter out;
  out.count(~std::uint64_t{0});
  StateReader in(out.bytes());
  EXPECT_TRUE(in.numbers().empty());
  EXPECT_FALSE(in.ok());
}

TEST(State, AMatrixWhoseRowsDoNotDivideItsNumbersIsRefused) {
  StateWriter out;
  out.count(3);
  out.numbers(std::vector<double>{1, 2, 3, 4});
  StateReader in(out.bytes());
  in.matrix();
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace reveal::detect
