// Numbers and times as people read them: the rules of the text report.

const BYTES: [number, string][] = [
  [2 ** 40, "TiB"],
  [2 ** 30, "GiB"],
  [2 ** 20, "MiB"],
  [2 ** 10, "KiB"],
  [1, "bytes"],
];
const SECONDS: [number, string][] = [
  [1, "s"],
  [1e-3, "ms"],
  [1e-6, "µs"],
  [1e-9, "ns"],
];

function grouped(digits: string): string {
  return digits.length < 5 ? digits : digits.replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

export function number(value: number): string {
  if (Number.isNaN(value)) return "undefined";
  if (!Number.isFinite(value)) return value > 0 ? "infinite" : "−infinite";
  const size = Math.abs(value);
  const sign = value < 0 ? "−" : "";
  if (size >= 1e15 || (size > 0 && size < 1e-4)) return value.toExponential(2).replace("-", "−");
  if (size >= 99.95 || Number.isInteger(size)) return sign + grouped(size.toFixed(0));
  const decimals = size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 4;
  return sign + size.toFixed(decimals).replace(/\.?0+$/, "");
}

function scaled(value: number, units: [number, string][], zero: string, suffix: string): string {
  if (value === 0) return `0 ${zero}${suffix}`;
  const [factor, name] =
    units.find(([f]) => Math.abs(value) >= f) ?? units[units.length - 1]!;
  return `${number(value / factor)} ${name}${suffix}`;
}

export function quantity(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "undefined";
  if (unit === "bytes") return scaled(value, BYTES, "bytes", "");
  if (unit === "bytes/s") return scaled(value, BYTES, "bytes", "/s");
  if (unit === "seconds") return scaled(value, SECONDS, "s", "");
  // No share exceeds 100 %: a ratio beyond it is told as a factor. A flag is set for a share of the time.
  if (unit === "ratio" || unit === "flag") return Math.abs(value) < 1.005 ? `${number(value * 100)} %` : `${number(value)}x`;
  const per = /^(.*)( per (?:tick|chunk))$/.exec(unit);
  if (per) return quantity(value, per[1]!) + per[2];
  const power = /^\((.*)\)\^([23])$/.exec(unit);
  if (power) {
    const size = Math.abs(value);
    const root = power[2] === "2" ? Math.sqrt(size) : Math.cbrt(size);
    return `${value < 0 ? "-" : ""}(${quantity(root, power[1]!)})${power[2] === "2" ? "²" : "³"}`;
  }
  return unit ? `${number(value)} ${unit}` : number(value);
}

export function exact(value: number | null | undefined, unit: string): string {
  return value === null || value === undefined ? "undefined" : `${value} ${unit}`.trim();
}

export function clock(seconds: number, decimals = 1): string {
  const text = new Date(seconds * 1000).toISOString();
  return text.slice(11, decimals > 0 ? 20 + decimals : 19);
}

export function date(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

export function span(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(1).replace(/\.0$/, "")} s`;
  if (seconds < 7200) return `${(seconds / 60).toFixed(1).replace(/\.0$/, "")} min`;
  return `${(seconds / 3600).toFixed(1).replace(/\.0$/, "")} h`;
}

export function share(part: number): string {
  const percent = part * 100;
  if (percent > 0 && percent < 0.1) return "< 0.1 %";
  return `${percent < 10 ? number(Math.round(percent * 10) / 10) : Math.round(percent)} %`;
}

// tsfresh's names as words; what is not known is shown as it is.
const WORDS: Record<string, string> = {
  mean: "mean",
  median: "median",
  maximum: "maximum",
  minimum: "minimum",
  standard_deviation: "standard deviation",
  variance: "variance",
  absolute_sum_of_changes: "total movement",
  mean_abs_change: "mean step",
  mean_change: "mean change",
  sum_values: "sum",
  skewness: "skewness",
  kurtosis: "kurtosis",
};

export function feature(name: string): string {
  return WORDS[name] ?? name.replace(/__/g, ", ").replace(/_/g, " ").replace(/"/g, "");
}
