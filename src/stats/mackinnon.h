// The distribution of the Dickey-Fuller statistic.
#pragma once

namespace reveal::stats {

// Returns the approximate p-value of the statistic of a regression with a constant and one series,
// by the response surfaces of MacKinnon (1994), table 3, with the figures of 2010; NaN for a NaN.
double mackinnon_p(double statistic);

}  // namespace reveal::stats
