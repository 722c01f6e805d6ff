#include "exchange/known_layouts.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "exchange/collectl.h"
#include "exchange/iostat_text.h"
#include "exchange/ldms_csv.h"
#include "exchange/perf_stat.h"
#include "exchange/pmrep.h"
#include "exchange/sadf_csv.h"
#include "exchange/turbostat.h"
#include "exchange/vmstat.h"

namespace reveal::exchange {
namespace {

constexpr KnownLayout kLayouts[] = {
    {is_perf_stat, gather_perf_stat}, {is_vmstat, gather_vmstat},
    {is_sadf, gather_sadf},           {is_iostat, gather_iostat},
    {is_collectl, gather_collectl},   {is_turbostat, gather_turbostat},
    {is_pmrep, gather_pmrep},         {is_ldms, gather_ldms},
};

}  // namespace

const KnownLayout* known_layout(const std::vector<AheadRecords::Row>& rows) {
  const auto found =
      std::ranges::find_if(kLayouts, [&](const KnownLayout& layout) { return layout.is(rows); });
  return found == std::end(kLayouts) ? nullptr : &*found;
}

bool is_known_text(const std::filesystem::path& path) {
  constexpr std::size_t kLookedAt = 16;
  auto input = TextInput::open(path);
  if (!input) return false;
  AheadRecords records(CsvRecords(std::move(*input), 0));
  records.look(kLookedAt);
  return known_layout(records.ahead()) != nullptr;
}

}  // namespace reveal::exchange
