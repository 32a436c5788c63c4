/** Smaller sizes are padded to this size. */
const PADDED_MIN_BYTES = 512

/**
 * Returns the binary logarithm, rounded down. Unlike `Math.log2`, the result is exact for every safe integer, so that
 * all JavaScript engines compute the same padding.
 */
const floorLog2 = (value: number): number => value.toString(2).length - 1

/**
 * Returns the padded size: at least {@link PADDED_MIN_BYTES}, otherwise the next size of Padmé (Nikitin et al., 2019).
 * Padmé adds at most 12 %, and its sizes reveal only the magnitude and a few leading bits.
 */
export function padme(sizeBytes: number): number {
  if (sizeBytes <= PADDED_MIN_BYTES) return PADDED_MIN_BYTES
  const exponent = floorLog2(sizeBytes)
  const grain = 2 ** (exponent - floorLog2(exponent) - 1)
  return Math.ceil(sizeBytes / grain) * grain
}
