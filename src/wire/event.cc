#include "wire/event.h"

#include <utility>

#include "wire/limits.h"

namespace reveal::wire {
namespace {

constexpr auto kLastWhat = static_cast<std::uint8_t>(What::kClosed);
constexpr auto kLastSubsystem = static_cast<std::uint8_t>(model::Subsystem::kUnknown);
constexpr auto kLastSeverity = static_cast<std::uint8_t>(Severity::kMajor);
static_assert(kLastSubsystem == 5);

}  // namespace

base::Result<void> put_event(Bytes& out, const Event& event) {
  const std::string id = fitting(event.finding, kMaxFindingId);
  if (id.empty() || id != event.finding || event.revision == 0 || event.end_ns < event.onset_ns) {
    return base::fail(base::ErrorKind::kUsage,
                      "an event without an id or a revision, or that ends before it begins",
                      event.finding);
  }
  put_head(out, Type::kEvent, 0, event.head);
  out.push_back(static_cast<std::uint8_t>(event.what));
  put_u32(out, event.revision);
  put_u64(out, static_cast<std::uint64_t>(event.onset_ns));
  put_u64(out, static_cast<std::uint64_t>(event.end_ns));
  out.push_back(static_cast<std::uint8_t>(event.subsystem));
  out.push_back(static_cast<std::uint8_t>(event.severity));
  put_text(out, id, kMaxFindingId);
  put_text(out, event.claim, kMaxClaim);
  put_text(out, event.pattern, kMaxPattern);
  // Half a JSON object says nothing.
  const std::string detail = fitting(event.detail, event.detail.size() * 3);
  put_text(out, detail.size() > kMaxDetail ? "" : detail, kMaxDetail);
  return {};
}

base::Result<Event> read_event(ByteView message) {
  Reader in(message);
  std::uint16_t flags = 0;
  Event out;
  out.head = read_head(in, Type::kEvent, 0, flags);
  out.what = static_cast<What>(in.u8_up_to(kLastWhat));
  in.require(static_cast<std::uint8_t>(out.what) != 0);
  out.revision = in.u32();
  in.require(out.revision != 0);
  out.onset_ns = in.i64();
  out.end_ns = in.i64();
  in.require(out.end_ns >= out.onset_ns);
  out.subsystem = static_cast<model::Subsystem>(in.u8_up_to(kLastSubsystem));
  out.severity = static_cast<Severity>(in.u8_up_to(kLastSeverity));
  out.finding = in.text(1, kMaxFindingId);
  out.claim = in.text(0, kMaxClaim);
  out.pattern = in.text(0, kMaxPattern);
  out.detail = in.text(0, kMaxDetail);
  if (!in.is_done()) return malformed("an event that cannot be read");
  return out;
}

std::string key_of(const std::string& host, const Event& event) {
  return host + ":" + event.finding + ":" + std::to_string(event.revision);
}

}  // namespace reveal::wire
