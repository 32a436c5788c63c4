const { FUZZ_RUNS, FUZZ_SEED } = process.env

/** The seed from `FUZZ_SEED`; otherwise a new seed with `FUZZ_RUNS`, and a fixed one without. */
const seed =
  FUZZ_SEED !== undefined
    ? Number(FUZZ_SEED)
    : FUZZ_RUNS === undefined
      ? 20_261_122
      : (Date.now() ^ process.pid) & 0x7fff_ffff

if (FUZZ_RUNS !== undefined) process.stderr.write(`FUZZ_SEED=${seed}\n`)

/**
 * Returns the number of runs and the seed for a property. With `FUZZ_RUNS`, runs that often, with the seed in
 * `FUZZ_SEED` (which an earlier run has printed) or a new one. Without `FUZZ_RUNS`, runs a few times with a fixed seed,
 * so that failures are reproducible.
 */
export const fuzzing = (fewRuns: number): { numRuns: number; seed: number } => ({
  numRuns: FUZZ_RUNS === undefined ? fewRuns : Number(FUZZ_RUNS),
  seed,
})

/** Long enough for the configured number of runs. */
export const FUZZ_TIMEOUT_MS = FUZZ_RUNS === undefined ? 120_000 : 6 * 3_600_000
