// The state of a fitted detector or baseline as bytes: numbers and texts one after the other, in
// little-endian order, without names. The reader must ask for the same values in the same order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

namespace reveal::detect {

class StateWriter {
 public:
  void count(std::uint64_t value);
  void number(double value);
  void text(std::string_view value);
  void texts(std::span<const std::string> values);
  void numbers(std::span<const double> values);
  void integers(std::span<const std::int32_t> values);
  void vector(const Eigen::VectorXd& values);
  void matrix(const Eigen::MatrixXd& values);

  const std::string& bytes() const { return bytes_; }

 private:
  void raw(const void* data, std::size_t size);

  std::string bytes_;
};

// Reading beyond the end, or a length that cannot be, gives zeros and empty lists from then on, and
// ok() is false: one question at the end replaces one at every step.
class StateReader {
 public:
  explicit StateReader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t count();
  double number();
  std::string text();
  std::vector<std::string> texts();
  std::vector<double> numbers();
  std::vector<std::int32_t> integers();
  Eigen::VectorXd vector();
  Eigen::MatrixXd matrix();

  // Says that what was read makes no sense.
  void fail() { ok_ = false; }
  bool ok() const { return ok_; }
  // Returns whether all was read, and all of it was there.
  bool done() const { return ok_ && bytes_.empty(); }

 private:
  void raw(void* data, std::size_t size);
  // Returns a count of things of `size` bytes each that are really there, else 0.
  std::size_t count_of(std::size_t size);

  std::string_view bytes_;  // what is left
  bool ok_ = true;
};

}  // namespace reveal::detect
