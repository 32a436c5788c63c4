/** Smaller sizes are padded to this one. */
const PADDED_MIN_BYTES = 512

/** Exact for every safe integer, unlike `Math.log2`, so that all engines pad alike. */
const floorLog2 = (value: number): number => value.toString(2).length - 1

/**
 * Returns the size to which a size is padded: at least {@link PADDED_MIN_BYTES}, else the next one of Padmé (Nikitin et
 * al., 2019), which adds at most 12 % and leaves only the magnitude and few leading bits.
 */
export function padme(sizeBytes: number): number {
  if (sizeBytes <= PADDED_MIN_BYTES) return PADDED_MIN_BYTES
  const exponent = floorLog2(sizeBytes)
  const grain = 2 ** (exponent - floorLog2(exponent) - 1)
  return Math.ceil(sizeBytes / grain) * grain
}
