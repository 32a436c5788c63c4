import { vi } from 'vitest'

/** How long `vi.waitFor` waits for a condition by default. */
const WAIT_MS = 60_000

const { waitFor } = vi
const waitPatiently: typeof waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_MS, ...options })

// The setup runs for each test file, but one process runs many files.
if (waitFor.name !== waitPatiently.name) vi.waitFor = waitPatiently
