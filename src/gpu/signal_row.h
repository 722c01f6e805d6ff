// How rows of the tables of signals are written. Only those tables include this.
#pragma once

#include "gpu/signals.h"

namespace reveal::gpu {

using enum Cadence;
using enum Call;

constexpr Signal row(Cadence cadence, Call call, unsigned argument, std::string_view source,
                     std::string_view alias, std::string_view unit, std::string_view metric,
                     std::string_view label, std::string_view help, std::int16_t rank = 100) {
  Signal out;
  out.metric = metric;
  out.label = label;
  out.unit = unit;
  out.source = source;
  out.alias = alias;
  out.help = help;
  out.rank = rank;
  out.cadence = cadence;
  out.call = call;
  out.argument = argument;
  return out;
}

constexpr Signal of_kind(Kind kind, Signal out) {
  out.kind = kind;
  return out;
}
constexpr Signal counter(Signal out) {
  return of_kind(Kind::kCounter, out);
}
constexpr Signal event(Signal out) {
  return of_kind(Kind::kEvent, out);
}
constexpr Signal fact(Signal out) {
  return of_kind(Kind::kFact, out);
}
constexpr Signal scaled(double scale, double most, Signal out) {
  out.scale = scale;
  out.most = most;
  return out;
}
constexpr Signal at_most(double most, Signal out) {
  out.most = most;
  return out;
}
constexpr Signal real(Signal out) {
  out.real = true;
  return out;
}
constexpr Signal percent(Signal out) {
  return scaled(0.01, 100, out);
}
constexpr Signal megahertz(Signal out) {
  return scaled(1e6, 1e5, out);
}
constexpr Signal milliwatts(Signal out) {
  return scaled(1e-3, 1e7, out);
}
constexpr Signal nanoseconds(Signal out) {
  return counter(scaled(1e-9, 0, out));
}
constexpr Signal celsius(Signal out) {
  return at_most(250, out);
}
constexpr Signal flag(Signal out) {
  return at_most(1, out);
}
constexpr Signal kibibytes(Signal out) {
  return counter(scaled(1024, 0, out));
}
constexpr Signal share(Signal out) {
  return real(percent(out));
}
constexpr Signal mebibytes_per_second(Signal out) {
  return real(scaled(1048576, 1e8, out));
}

}  // namespace reveal::gpu
