#include "wire/dictionary.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "wire/level_code.h"
#include "wire/packed.h"

namespace reveal::wire {
namespace {

// The numbers on the wire are the enumerators' values; these are the last ones of version 1.
constexpr auto kLastKind = static_cast<std::uint8_t>(model::Kind::kEvent);
constexpr auto kLastSubsystem = static_cast<std::uint8_t>(model::Subsystem::kUnknown);
constexpr auto kLastScope = static_cast<std::uint8_t>(model::Scope::kDevice);
constexpr auto kLastFold = static_cast<std::uint8_t>(Fold::kMean);
static_assert(kLastKind == 2 && kLastSubsystem == 5 && kLastScope == 7 && kLastFold == 4);

void put_quantity(Bytes& out, const Quantity& quantity) {
  put_text(out, quantity.metric, kMaxName);
  put_text(out, quantity.instance, kMaxName);
  put_text(out, quantity.label, kMaxName);
  put_text(out, quantity.unit, kMaxUnit);
  out.push_back(static_cast<std::uint8_t>(quantity.kind));
  out.push_back(static_cast<std::uint8_t>(quantity.subsystem));
  out.push_back(static_cast<std::uint8_t>(quantity.scope));
  out.push_back(static_cast<std::uint8_t>(quantity.fold));
  put_u16(out, quantity.floor);
  put_f32(out, quantity.least_rise);
}

Quantity read_quantity(Reader& in) {
  Quantity out;
  out.metric = in.text(1, kMaxName);
  out.instance = in.text(0, kMaxName);
  out.label = in.text(0, kMaxName);
  out.unit = in.text(0, kMaxUnit);
  out.kind = static_cast<model::Kind>(in.u8_up_to(kLastKind));
  out.subsystem = static_cast<model::Subsystem>(in.u8_up_to(kLastSubsystem));
  out.scope = static_cast<model::Scope>(in.u8_up_to(kLastScope));
  out.fold = static_cast<Fold>(in.u8_up_to(kLastFold));
  out.floor = in.u16();
  in.require(out.floor >= 1 && out.floor <= kLargestMagnitude);
  out.least_rise = in.f32();
  in.require(out.least_rise >= 0 && !std::signbit(out.least_rise));
  return out;
}

bool has_doubles(const std::vector<Quantity>& quantities) {
  std::vector<std::tuple<std::string_view, std::string_view, Fold>> keys;
  keys.reserve(quantities.size());
  for (const auto& one : quantities) keys.emplace_back(one.metric, one.instance, one.fold);
  std::ranges::sort(keys);
  return std::ranges::adjacent_find(keys) != keys.end();
}

}  // namespace

base::Result<Bytes> plain_of(const Dictionary& dictionary) {
  Bytes out;
  put_varint(out, static_cast<std::uint64_t>(dictionary.bucket_ns));
  put_varint(out, dictionary.quantities.size());
  for (const auto& quantity : dictionary.quantities) put_quantity(out, quantity);
  // What a reader would refuse, texts that became alike by being cut among it, is not sent.
  if (out.size() > kMaxPlainBytes || !dictionary_of(out)) {
    return base::fail(base::ErrorKind::kUsage,
                      "a dictionary that the wire format does not allow, of " +
                          std::to_string(dictionary.quantities.size()) + " quantities");
  }
  return out;
}

base::Result<Dictionary> dictionary_of(ByteView plain) {
  Reader in(plain);
  Dictionary out;
  out.bucket_ns =
      static_cast<std::int64_t>(in.varint_within(kShortestBucket_ns, kLongestBucket_ns));
  const std::uint64_t count = in.varint_within(1, kMaxQuantities);
  for (std::uint64_t i = 0; i < count && in.ok(); ++i) out.quantities.push_back(read_quantity(in));
  if (!in.is_done()) return malformed("a dictionary that cannot be read");
  if (has_doubles(out.quantities)) return malformed("a dictionary with a quantity twice");
  return out;
}

std::uint32_t number_of(ByteView plain) {
  return crc32_of(plain);
}

base::Result<void> put_dictionary(Bytes& out, const Head& head, ByteView plain) {
  put_head(out, Type::kDictionary, 0, head);
  return put_packed(out, plain);
}

base::Result<DictionaryMessage> read_dictionary(ByteView message) {
  Reader in(message);
  std::uint16_t flags = 0;
  DictionaryMessage out;
  out.head = read_head(in, Type::kDictionary, 0, flags);
  auto plain = read_packed(in);
  if (!plain) return base::pass(plain);
  auto dictionary = dictionary_of(*plain);
  if (!dictionary) return base::pass(dictionary);
  out.plain = std::move(*plain);
  out.dictionary = std::move(*dictionary);
  return out;
}

}  // namespace reveal::wire
