import { vi } from 'vitest'

/** So long a condition is awaited before it counts as one that never comes. */
const WAIT_MS = 60_000

const { waitFor } = vi
const waitPatiently: typeof waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_MS, ...options })

// This file is read for each file of tests, and one process has many.
if (waitFor.name !== waitPatiently.name) vi.waitFor = waitPatiently
