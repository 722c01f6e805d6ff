#include "collect/cpu/values_by_core.h"

namespace reveal::collect {
namespace {

constexpr std::size_t kMaxValues = 16;  // more is not a setting but rubbish

}  // namespace

void ValuesByCore::clear() {
  for (std::size_t i = 0; i < used_; ++i) groups_[i].cores.clear();
  used_ = 0;
}

void ValuesByCore::add(std::uint32_t cpu, std::string_view value) {
  if (cpu > procfs::kMaxListedCpu) return;
  std::size_t i = 0;
  while (i < used_ && groups_[i].value != value) ++i;
  if (i == kMaxValues) return;
  if (i == groups_.size()) groups_.emplace_back();
  if (i == used_) {
    groups_[i].value = value;
    ++used_;
  }
  groups_[i].cores.add(cpu);
}

std::size_t ValuesByCore::count(std::string_view value) const {
  for (std::size_t i = 0; i < used_; ++i) {
    if (groups_[i].value == value) return groups_[i].cores.count();
  }
  return 0;
}

const std::string& ValuesByCore::text() {
  text_.clear();
  for (std::size_t i = 0; i < used_; ++i) {
    if (i > 0) text_ += "; ";
    text_ += groups_[i].value;
    if (used_ == 1) break;
    text_ += " on ";
    groups_[i].cores.append_to(text_);
  }
  return text_;
}

}  // namespace reveal::collect
