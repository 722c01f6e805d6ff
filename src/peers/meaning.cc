#include "peers/meaning.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace reveal::peers {
namespace {

fleet::Fold fold_of(wire::Fold fold) {
  switch (fold) {
    case wire::Fold::kMeanOfCores:
      return fleet::Fold::kMeanOfCores;
    case wire::Fold::kHighestCore:
      return fleet::Fold::kHighestCore;
    case wire::Fold::kSum:
      return fleet::Fold::kSum;
    case wire::Fold::kMean:
      return fleet::Fold::kMean;
    case wire::Fold::kNone:
      break;
  }
  return fleet::Fold::kNone;
}

}  // namespace

fleet::Quantity quantity_of(const wire::Quantity& from) {
  fleet::Quantity out;
  out.metric = from.metric;
  out.label = from.label;
  out.unit = from.unit;
  out.kind = from.kind;
  out.subsystem = from.subsystem;
  out.scope = from.scope;
  out.instance = from.instance;
  out.fold = fold_of(from.fold);
  return out;
}

void Meaning::add(MeantQuantity quantity) {
  if (quantity.least_rise > 0) quantity.signal = static_cast<std::uint16_t>(signals++);
  quantities.push_back(std::move(quantity));
}

base::Result<std::shared_ptr<const Meaning>> Meanings::take(wire::ByteView message) {
  auto read = wire::read_dictionary(message);
  if (!read) return base::pass(read);
  auto& slot = known_[read->plain];
  if (auto known = slot.lock()) return known;
  auto made = std::make_shared<Meaning>();
  made->number = wire::number_of(read->plain);
  made->bucket_ns = read->dictionary.bucket_ns;
  for (const auto& one : read->dictionary.quantities) {
    made->add({quantity_of(one), one.floor, one.least_rise});
  }
  slot = made;
  // Twice as many may come before it is done again, so it costs a constant for each.
  if (known_.size() >= sweep_at_) forget_unused();
  return std::shared_ptr<const Meaning>(std::move(made));
}

const wire::Bytes* Meanings::plain_of(std::uint32_t number) const {
  const auto found = std::ranges::find_if(known_, [&](const auto& one) {
    const auto meaning = one.second.lock();
    return meaning && meaning->number == number;
  });
  return found == known_.end() ? nullptr : &found->first;
}

std::size_t Meanings::size() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(known_, [](const auto& one) { return !one.second.expired(); }));
}

void Meanings::forget_unused() {
  std::erase_if(known_, [](const auto& one) { return one.second.expired(); });
  sweep_at_ = 2 * known_.size() + 64;
}

}  // namespace reveal::peers
