const { FUZZ_RUNS, FUZZ_SEED } = process.env

/** The one that was asked for, or a new one each time, or the same always. */
const seed =
  FUZZ_SEED !== undefined
    ? Number(FUZZ_SEED)
    : FUZZ_RUNS === undefined
      ? 20_261_122
      : (Date.now() ^ process.pid) & 0x7fff_ffff

if (FUZZ_RUNS !== undefined) process.stderr.write(`FUZZ_SEED=${seed}\n`)

/**
 * How often a property is tried, and with which values. With `FUZZ_RUNS`: that often, each time with other values, or with
 * the values of the `FUZZ_SEED` that an earlier run has printed. Without `FUZZ_RUNS`: a few times, always with the same
 * values, so that a failure repeats.
 */
export const fuzzing = (fewRuns: number): { numRuns: number; seed: number } => ({
  numRuns: FUZZ_RUNS === undefined ? fewRuns : Number(FUZZ_RUNS),
  seed,
})

/** Long enough for as many runs as that. */
export const FUZZ_TIMEOUT_MS = FUZZ_RUNS === undefined ? 120_000 : 6 * 3_600_000
