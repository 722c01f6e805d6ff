// Features of values that come more than once, all found among neighbours in ascending order.
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// Does the value at a place of the ascending order stand there for the first time, and once more
// after it?
struct Recurrence {
  Mask is_first;
  Mask recurs;

  Recurrence(Samples& s, std::size_t place)
      : is_first(place == 0 ? all_lanes() : differs(s, place - 1)),
        recurs(place + 1 == s.size() ? opposite(all_lanes()) : opposite(differs(s, place))) {}

 private:
  static Mask all_lanes() { return all(0.0) == all(0.0); }
  // Is the value at the next place another one?
  static Mask differs(Samples& s, std::size_t place) {
    return opposite(s.sorted()[place] == s.sorted()[place + 1]);
  }
};

inline V distinct_values(Samples& s) {
  V count = all(0.0);
  for (std::size_t i = 0; i < s.size(); ++i) count = count + one_if(Recurrence(s, i).is_first);
  return count;
}

inline V recurring_values(Samples& s) {
  V count = all(0.0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Recurrence at(s, i);
    count = count + one_if(both(at.is_first, at.recurs));
  }
  return count;
}

inline V has_duplicate(Samples& s) {
  return one_if(distinct_values(s) < s.count());
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
  return recurring_values(s) / distinct_values(s);
}

inline V percentage_of_reoccurring_datapoints_to_all_datapoints(Samples& s) {
  V count = all(0.0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Recurrence at(s, i);
    count = count + one_if(hn::Or(at.recurs, opposite(at.is_first)));
  }
  return count / s.count();
}

inline V sum_of_reoccurring_values(Samples& s) {
  V sum = all(0.0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Recurrence at(s, i);
    sum = sum + choose(both(at.is_first, at.recurs), s.sorted()[i], all(0.0));
  }
  return sum;
}

inline V sum_of_reoccurring_data_points(Samples& s) {
  V sum = all(0.0);
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Recurrence at(s, i);
    sum = sum + choose(hn::Or(at.recurs, opposite(at.is_first)), s.sorted()[i], all(0.0));
  }
  return sum;
}

inline V ratio_value_number_to_time_series_length(Samples& s) {
  return distinct_values(s) / s.count();
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
