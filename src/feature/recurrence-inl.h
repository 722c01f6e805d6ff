// Features of values that come more than once, all found among neighbors in ascending order.
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

inline const Recurrence& recurrence_of(Samples& s) {
  if (s.recurrence) return *s.recurrence;
  const Series& sorted = s.sorted();
  const V zero = all(0.0);
  Recurrence out{zero, zero, zero, zero, zero};
  Mask is_first = zero == zero;  // is this value's first place here?
  for (std::size_t i = 0; i < s.size(); ++i) {
    const V value = sorted[i];
    const bool is_last = i + 1 == s.size();
    const Mask ends = is_last ? zero == zero : opposite(value == sorted[i + 1]);
    const Mask recurs = opposite(both(is_first, ends));
    const Mask first_of_many = both(is_first, recurs);
    out.distinct = out.distinct + one_if(is_first);
    out.recurring = out.recurring + one_if(first_of_many);
    out.points = out.points + one_if(recurs);
    out.sum_of_values = out.sum_of_values + hn::IfThenElseZero(first_of_many, value);
    out.sum_of_points = out.sum_of_points + hn::IfThenElseZero(recurs, value);
    is_first = ends;
  }
  s.recurrence = out;
  return *s.recurrence;
}

inline V has_duplicate(Samples& s) {
  return one_if(recurrence_of(s).distinct < s.count());
}
inline V has_duplicate_max(Samples& s) {
  if (s.size() < 2) return all(0.0);
  return one_if(s.sorted()[s.size() - 1] == s.sorted()[s.size() - 2]);
}
inline V has_duplicate_min(Samples& s) {
  if (s.size() < 2) return all(0.0);
  return one_if(s.sorted()[0] == s.sorted()[1]);
}
inline V percentage_of_reoccurring_values_to_all_values(Samples& s) {
  return recurrence_of(s).recurring / recurrence_of(s).distinct;
}
inline V percentage_of_reoccurring_datapoints_to_all_datapoints(Samples& s) {
  return recurrence_of(s).points / s.count();
}
inline V sum_of_reoccurring_values(Samples& s) {
  return recurrence_of(s).sum_of_values;
}
inline V sum_of_reoccurring_data_points(Samples& s) {
  return recurrence_of(s).sum_of_points;
}
inline V ratio_value_number_to_time_series_length(Samples& s) {
  return recurrence_of(s).distinct / s.count();
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
