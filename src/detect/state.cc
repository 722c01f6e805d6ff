#include "detect/state.h"

#include <bit>
#include <cstring>

namespace reveal::detect {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they are");

void StateWriter::raw(const void* data, std::size_t size) {
  bytes_.append(static_cast<const char*>(data), size);
}

void StateWriter::count(std::uint64_t value) {
  raw(&value, sizeof value);
}

void StateWriter::number(double value) {
  raw(&value, sizeof value);
}

void StateWriter::text(std::string_view value) {
  count(value.size());
  raw(value.data(), value.size());
}

void StateWriter::texts(std::span<const std::string> values) {
  count(values.size());
  for (const auto& value : values) text(value);
}

void StateWriter::numbers(std::span<const double> values) {
  count(values.size());
  raw(values.data(), values.size_bytes());
}

void StateWriter::integers(std::span<const std::int32_t> values) {
  count(values.size());
  raw(values.data(), values.size_bytes());
}

void StateWriter::vector(const Eigen::VectorXd& values) {
  numbers({values.data(), static_cast<std::size_t>(values.size())});
}

void StateWriter::matrix(const Eigen::MatrixXd& values) {
  count(static_cast<std::uint64_t>(values.rows()));
  numbers({values.data(), static_cast<std::size_t>(values.size())});
}

void StateReader::raw(void* data, std::size_t size) {
  if (size == 0) return;  // of an empty list, which has no address
  if (!ok_ || size > bytes_.size()) {
    ok_ = false;
    std::memset(data, 0, size);
    return;
  }
  std::memcpy(data, bytes_.data(), size);
  bytes_.remove_prefix(size);
}

std::uint64_t StateReader::count() {
  std::uint64_t value = 0;
  raw(&value, sizeof value);
  return value;
}

double StateReader::number() {
  double value = 0;
  raw(&value, sizeof value);
  return value;
}

std::size_t StateReader::count_of(std::size_t size) {
  const std::uint64_t value = count();
  if (value <= bytes_.size() / size) return static_cast<std::size_t>(value);
  ok_ = false;
  return 0;
}

std::string StateReader::text() {
  std::string out(count_of(1), '\0');
  raw(out.data(), out.size());
  return out;
}

std::vector<std::string> StateReader::texts() {
  std::vector<std::string> out(count_of(sizeof(std::uint64_t)));
  for (auto& value : out) value = text();
  return out;
}

std::vector<double> StateReader::numbers() {
  std::vector<double> out(count_of(sizeof(double)));
  raw(out.data(), out.size() * sizeof(double));
  return out;
}

std::vector<std::int32_t> StateReader::integers() {
  std::vector<std::int32_t> out(count_of(sizeof(std::int32_t)));
  raw(out.data(), out.size() * sizeof(std::int32_t));
  return out;
}

Eigen::VectorXd StateReader::vector() {
  const auto values = numbers();
  return Eigen::VectorXd::Map(values.data(), static_cast<Eigen::Index>(values.size()));
}

Eigen::MatrixXd StateReader::matrix() {
  const std::uint64_t rows = count();
  const auto values = numbers();
  if (values.empty()) return {};
  if (rows == 0 || values.size() % rows != 0) {
    ok_ = false;
    return {};
  }
  return Eigen::MatrixXd::Map(values.data(), static_cast<Eigen::Index>(rows),
                              static_cast<Eigen::Index>(values.size() / rows));
}

}  // namespace reveal::detect
