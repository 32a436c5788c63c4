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
 * How often a property is tried: as often as `FUZZ_RUNS` says, each time with other values, or with those of the `FUZZ_SEED`
 * that an earlier run has printed; without it a few times with the same ones, so that what fails fails always.
 */
export const fuzzing = (fewRuns: number): { numRuns: number; seed: number } => ({
  numRuns: FUZZ_RUNS === undefined ? fewRuns : Number(FUZZ_RUNS),
  seed,
})

/** Long enough for as many runs as that. */
export const FUZZ_TIMEOUT_MS = FUZZ_RUNS === undefined ? 120_000 : 6 * 3_600_000
