// An input as the characters that a parser of JSON takes, so that a file of any size is read in
// pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "exchange/text_input.h"

namespace reveal::exchange {

// The characters of an input, for a parser that takes iterators. An input that fails ends there and
// remembers why.
class Characters {
 public:
  explicit Characters(TextInput& input) : input_(input) { refill(); }

  bool at_end() const { return piece_.empty(); }
  char front() const { return piece_.front(); }
  void advance() {
    ++passed_;
    piece_.remove_prefix(1);
    if (piece_.empty()) refill();
  }
  // Returns how many were passed.
  std::uint64_t passed() const { return passed_; }
  const std::optional<base::Error>& failure() const { return failure_; }

 private:
  void refill() {
    const auto piece = input_.read();
    if (piece) {
      piece_ = *piece;
    } else {
      failure_ = piece.error();
    }
  }

  TextInput& input_;
  std::string_view piece_;
  std::uint64_t passed_ = 0;
  std::optional<base::Error> failure_;
};

class CharacterIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  CharacterIterator() = default;
  explicit CharacterIterator(Characters& text) : text_(&text) {}

  char operator*() const { return text_->front(); }
  CharacterIterator& operator++() {
    text_->advance();
    return *this;
  }
  friend bool operator==(const CharacterIterator& a, const CharacterIterator& b) {
    return a.ended() == b.ended();
  }
  friend bool operator!=(const CharacterIterator& a, const CharacterIterator& b) {
    return !(a == b);
  }

 private:
  bool ended() const { return text_ == nullptr || text_->at_end(); }
  Characters* text_ = nullptr;
};

}  // namespace reveal::exchange
