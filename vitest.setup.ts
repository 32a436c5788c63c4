import { vi } from 'vitest'

/** So long a condition is awaited before it counts as one that never comes. */
const WAIT_MS = 60_000

const { waitFor } = vi
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, typeof options === 'number' ? options : { timeout: WAIT_MS, ...options })
