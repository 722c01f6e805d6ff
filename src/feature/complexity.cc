#include "feature/complexity.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "feature/from_first.h"

namespace reveal::feature {
namespace {

constexpr double kSampleTolerance = 0.2;
constexpr std::size_t kTolerances =
    1 + kApproximateTolerances.size();  // the sample entropy's first

// How many templates are within a tolerance of a template, itself included.
struct Matches {
  std::array<std::uint32_t, kTolerances> of_2{};
  std::array<std::uint32_t, kTolerances> of_3{};
};

// Returns them by the first sample of the template; of the last but one only of_2 is of use.
std::vector<Matches> count_matches(std::span<const double> x,
                                   const std::array<double, kTolerances>& tolerances) {
  const std::size_t pairs = x.size() - 1;
  std::vector<Matches> out(pairs);
  const auto note = [&](std::size_t i, std::size_t j, double apart, bool of_3) {
    for (std::size_t k = 0; k < kTolerances; ++k) {
      const std::uint32_t near = apart <= tolerances[k] ? 1 : 0;
      (of_3 ? out[i].of_3 : out[i].of_2)[k] += near;
      if (i != j) (of_3 ? out[j].of_3 : out[j].of_2)[k] += near;
    }
  };
  const double widest = *std::max_element(tolerances.begin(), tolerances.end());
  for (std::size_t i = 0; i < pairs; ++i) {
    for (std::size_t j = i; j < pairs; ++j) {
      const double of_1 = std::abs(x[i] - x[j]);
      if (of_1 > widest) continue;
      const double of_2 = std::max(of_1, std::abs(x[i + 1] - x[j + 1]));
      if (of_2 > widest) continue;
      note(i, j, of_2, false);
      if (j + 1 < pairs) note(i, j, std::max(of_2, std::abs(x[i + 2] - x[j + 2])), true);
    }
  }
  return out;
}

double sample_entropy(std::span<const Matches> matches) {
  double of_2 = 0.0;
  double of_3 = 0.0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    of_2 += matches[i].of_2[0] - 1.0;
    if (i + 1 < matches.size()) of_3 += matches[i].of_3[0] - 1.0;
  }
  return -std::log(of_3 / of_2);
}

// Returns log(i / count) by i, from 1 to count.
std::vector<double> logs_of_shares(std::size_t count) {
  std::vector<double> out{0.0};
  for (std::size_t i = 1; i <= count; ++i) {
    out.push_back(std::log(static_cast<double>(i) / static_cast<double>(count)));
  }
  return out;
}

void find_approximate_entropies(std::span<const Matches> matches, std::span<double> out) {
  const std::size_t triples = matches.size() - 1;
  const auto logs_of_2 = logs_of_shares(matches.size());
  const auto logs_of_3 = logs_of_shares(triples);
  for (std::size_t k = 0; k < kApproximateTolerances.size(); ++k) {
    double of_2 = 0.0;
    double of_3 = 0.0;
    for (std::size_t i = 0; i < matches.size(); ++i) {
      of_2 += logs_of_2[matches[i].of_2[k + 1]];
      if (i < triples) of_3 += logs_of_3[matches[i].of_3[k + 1]];
    }
    out[k] =
        std::abs(of_2 / static_cast<double>(matches.size()) - of_3 / static_cast<double>(triples));
  }
}

// The phrases of a parse: each is one that is known and one symbol more.
class Phrases {
 public:
  // Returns the phrase that goes on from another by a symbol; kNone, and adds it, if it is new. The
  // empty phrase is number 0.
  static constexpr std::size_t kNone = 0;
  std::size_t follow(std::size_t phrase, std::size_t symbol) {
    for (std::size_t i = nodes_[phrase].first; i != kNone; i = nodes_[i].next) {
      if (nodes_[i].symbol == symbol) return i;
    }
    nodes_.push_back({symbol, kNone, nodes_[phrase].first});
    nodes_[phrase].first = nodes_.size() - 1;
    return kNone;
  }
  std::size_t count() const { return nodes_.size() - 1; }

 private:
  struct Node {
    std::size_t symbol = 0;
    std::size_t first = kNone;  // of those that go on from it
    std::size_t next = kNone;   // that goes on from the same one
  };
  std::vector<Node> nodes_{Node{}};
};

// Returns the number of phrases: each is the shortest that is not among those before. The last one
// may be cut off and does not count.
std::size_t count_phrases(std::span<const std::size_t> symbols) {
  Phrases phrases;
  std::size_t phrase = Phrases::kNone;
  for (const std::size_t symbol : symbols) phrase = phrases.follow(phrase, symbol);
  return phrases.count();
}

double lempel_ziv(std::span<const double> x, std::size_t bins) {
  const auto [low, high] = std::minmax_element(x.begin(), x.end());
  const double step = (*high - *low) / static_cast<double>(bins);
  std::vector<double> edges;  // the upper one of each bin
  for (std::size_t i = 1; i < bins; ++i) edges.push_back(static_cast<double>(i) * step + *low);
  edges.push_back(*high);
  std::vector<std::size_t> symbols;
  for (const double value : x) {
    const auto bin = std::lower_bound(edges.begin(), edges.end(), value);
    symbols.push_back(static_cast<std::size_t>(bin - edges.begin()));
  }
  return static_cast<double>(count_phrases(symbols)) / static_cast<double>(x.size());
}

}  // namespace

void compute_complexity(std::span<const double> samples, std::span<double> out) {
  const auto x = from_first(samples);
  const double deviation = std::sqrt(variance_about(x, mean_of(x)));
  std::array<double, kTolerances> tolerances{kSampleTolerance * deviation};
  for (std::size_t i = 1; i < kTolerances; ++i) {
    tolerances[i] = kApproximateTolerances[i - 1] * deviation;
  }
  std::fill_n(out.begin() + 1, kApproximateTolerances.size(), 0.0);
  if (x.size() > 3) {
    const auto matches = count_matches(x, tolerances);
    out[0] = sample_entropy(matches);
    find_approximate_entropies(matches, out.subspan(1));
  }
  for (std::size_t i = 0; i < kLempelZivBins.size(); ++i) {
    out[kTolerances + i] = lempel_ziv(x, kLempelZivBins[i]);
  }
}

}  // namespace reveal::feature
