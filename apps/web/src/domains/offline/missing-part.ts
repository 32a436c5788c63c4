import { hrefOf } from '../../lib/browser/base-path.ts'

const ANSWER_MS = 3000
/** A proxy that has not reached the server. */
const GATEWAY_FAILURES: ReadonlySet<number> = new Set([502, 503, 504])

/** A part of the app that is not on this device, while the server cannot be reached. */
export class MissingPart extends Error {
  override readonly name = 'MissingPart'
}

export async function canReachServer(): Promise<boolean> {
  if (!navigator.onLine) return false
  try {
    const { status } = await fetch(hrefOf('/api/health'), { signal: AbortSignal.timeout(ANSWER_MS) })
    return !GATEWAY_FAILURES.has(status)
  } catch {
    return false
  }
}

/**
 * Loads a chunk of the app on demand.
 * @throws {MissingPart} offline. Any other failure means that the server has another version by now, which a reload
 * fetches.
 */
export async function fetchPart<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part
  } catch (cause) {
    if (await canReachServer()) throw cause
    throw new MissingPart('This part of the app is not on this device.', { cause })
  }
}
