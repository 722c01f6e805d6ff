// Samples as src/page writes them: raw deflate of byte planes of delta-coded codes, 0 where a sample
// is missing, else 1 to 2^bits - 1 from low to high.

async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart])
    .stream()
    .pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Returns `series` lists of `count` values each; NaN where missing.
export async function decode(
  blob: Uint8Array,
  series: number,
  count: number,
  bits: 8 | 16,
  low: number,
  high: number,
): Promise<Float64Array[]> {
  const planes = await inflate(blob);
  const width = bits / 8;
  if (planes.length !== series * count * width) throw new Error("samples of another length");
  const most = 2 ** bits - 1;
  const step = most > 1 ? (high - low) / (most - 1) : 0;
  const out: Float64Array[] = [];
  for (let s = 0; s < series; ++s) {
    const values = new Float64Array(count);
    const at = s * count * width;
    let code = 0;
    for (let i = 0; i < count; ++i) {
      const delta = planes[at + i]! + (width === 2 ? planes[at + count + i]! * 256 : 0);
      code = (code + delta) & most;
      values[i] = code === 0 ? NaN : low + (code - 1) * step;
    }
    out.push(values);
  }
  return out;
}

// Decodes base64 without one character more in memory than needed.
export function fromBase64(text: string): Uint8Array {
  const native = (Uint8Array as unknown as { fromBase64?: (t: string) => Uint8Array }).fromBase64;
  if (native) return native.call(Uint8Array, text);
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) out[i] = raw.charCodeAt(i);
  return out;
}
