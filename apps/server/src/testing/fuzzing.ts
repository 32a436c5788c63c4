/**
 * How often a property is tried: as often as `FUZZ_RUNS` says, each time with other values; without it a few times with the
 * same ones, so that what fails fails always.
 */
export const fuzzing = (fewRuns: number): { numRuns: number; seed?: number } =>
  process.env.FUZZ_RUNS === undefined
    ? { numRuns: fewRuns, seed: 20_261_122 }
    : { numRuns: Number(process.env.FUZZ_RUNS) }

/** Long enough for as many runs as that. */
export const FUZZ_TIMEOUT_MS = process.env.FUZZ_RUNS === undefined ? 30_000 : 6 * 3_600_000
