// Where the extremes lie, as a share of the length: the first counts from the start of its sample,
// the last to its end.
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

inline const Locations& locations_of(Samples& s) {
  if (s.locations) return *s.locations;
  const V largest = s.largest();
  const V smallest = s.smallest();
  const V end = s.count();
  V first_largest = end;
  V last_largest = all(0.0);
  V first_smallest = end;
  V last_smallest = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) {
    const Mask is_largest = s[t] == largest;
    const Mask is_smallest = s[t] == smallest;
    const V place = all(t);
    last_largest = choose(is_largest, place, last_largest);
    last_smallest = choose(is_smallest, place, last_smallest);
    first_largest = hn::Min(first_largest, choose(is_largest, place, end));
    first_smallest = hn::Min(first_smallest, choose(is_smallest, place, end));
  }
  const V last = all(s.size() - 1);
  s.locations = Locations{first_largest / end, all(1.0) - (last - last_largest) / end,
                          first_smallest / end, all(1.0) - (last - last_smallest) / end};
  return *s.locations;
}

inline V first_location_of_maximum(Samples& s) {
  return locations_of(s).first_largest;
}
inline V last_location_of_maximum(Samples& s) {
  return locations_of(s).last_largest;
}
inline V first_location_of_minimum(Samples& s) {
  return locations_of(s).first_smallest;
}
inline V last_location_of_minimum(Samples& s) {
  return locations_of(s).last_smallest;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
