// Student's t distribution.
#pragma once

#include <cstddef>
#include <vector>

namespace reveal::stats {

// Returns the regularized incomplete beta function I_x(a, b), to about 1e-14 of its value, also if
// that is tiny. REQUIRES: a, b > 0, 0 <= x <= 1.
double incomplete_beta(double a, double b, double x);

// Returns how likely |T| >= |t| is with so many degrees of freedom; NaN for a NaN.
// REQUIRES: freedom > 0.
double student_t_two_sided(double t, double freedom);

// Returns the t that |T| reaches with this likelihood, to 1e-12 of it: the inverse.
// REQUIRES: 0 < likelihood < 1, freedom > 0.
double student_t_beyond(double likelihood, double freedom);

// How likely a correlation of at least r >= 0, either way, is if there is none, by so many degrees
// of freedom:
//
//   P(|R| >= r) = scale (1 - r^2)^(freedom / 2) / (1 + r) sum over k of c[k] ((1 - r) / (1 + r))^k
//
// This is the integral of R's density (1 - s^2)^(a - 1) / B(1/2, a), a = freedom / 2, from r to 1,
// with 1 - s and 1 + s expanded about the end. For an even freedom the sum is finite and all its
// terms are positive, so that small results keep their digits as large ones do.
struct CorrelationTail {
  double scale = 0.0;
  std::vector<double> coefficients;  // c[k]; empty where they fall too slowly to be of use
};

// Returns it, computed once for each thread and freedom. REQUIRES: freedom > 0.
const CorrelationTail& correlation_tail(std::size_t freedom);

}  // namespace reveal::stats
