import { vi } from 'vitest'

/** How long a test waits for a condition before it fails. */
const WAIT_MS = 60_000

const { waitFor } = vi
const waitPatiently: typeof waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_MS, ...options })

// Runs for each test file, and one process has many.
if (waitFor.name !== waitPatiently.name) vi.waitFor = waitPatiently
