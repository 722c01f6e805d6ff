// Peaks as ridges of a wavelet transform: Du, Kibbe and Lin, Bioinformatics 22 (2006) 2059, with
// the defaults of scipy.signal.find_peaks_cwt.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace reveal::feature {

// Counts the ridges that are peaks. Row i is the transform by width i + 1. A ridge is a chain of
// local maxima from wide rows to narrow ones, each at most a quarter of the width beside the one
// before, with at most one row missing in between. It is a peak if it has a quarter of the rows and
// if the narrowest row's magnitude there is at least the tenth percentile of its surroundings, a
// twentieth of the samples. REQUIRES: rows of one length, at least one.
std::size_t count_ridge_lines(std::span<const std::vector<double>> rows);

}  // namespace reveal::feature
