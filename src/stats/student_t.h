// Student's t distribution.
#pragma once

namespace reveal::stats {

// Returns the regularised incomplete beta function I_x(a, b), to about 1e-14 of its value, also
// where that is tiny. REQUIRES: a, b > 0, 0 <= x <= 1.
double incomplete_beta(double a, double b, double x);

// Returns how likely |T| >= |t| is with so many degrees of freedom; NaN for a NaN.
// REQUIRES: freedom > 0.
double student_t_two_sided(double t, double freedom);

}  // namespace reveal::stats
