const { FUZZ_RUNS, FUZZ_SEED } = process.env

/** The seed in `FUZZ_SEED`. Without `FUZZ_SEED`, the seed is new if `FUZZ_RUNS` is set, and fixed otherwise. */
const seed =
  FUZZ_SEED !== undefined
    ? Number(FUZZ_SEED)
    : FUZZ_RUNS === undefined
      ? 20_261_122
      : (Date.now() ^ process.pid) & 0x7fff_ffff

if (FUZZ_RUNS !== undefined) process.stderr.write(`FUZZ_SEED=${seed}\n`)

/**
 * Returns the number of runs and the seed for a property. With `FUZZ_RUNS`, the property runs this many times. The
 * seed is then `FUZZ_SEED`, which an earlier run has printed, or a new seed. Without `FUZZ_RUNS`, the property runs a
 * few times with a fixed seed, so that failures are reproducible.
 */
export const fuzzing = (fewRuns: number): { numRuns: number; seed: number } => ({
  numRuns: FUZZ_RUNS === undefined ? fewRuns : Number(FUZZ_RUNS),
  seed,
})

/** Timeout that is long enough for the configured number of runs. */
export const FUZZ_TIMEOUT_MS = FUZZ_RUNS === undefined ? 120_000 : 6 * 3_600_000
