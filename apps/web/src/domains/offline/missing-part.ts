import { hrefOf } from '../../lib/browser/base-path.ts'

const ANSWER_MS = 3000
/** Responses of a proxy that cannot reach the server. */
const GATEWAY_FAILURES: ReadonlySet<number> = new Set([502, 503, 504])

/** Thrown if a chunk of the app is not cached and the server is unreachable. */
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
 * Loads a chunk of the app.
 * @throws {MissingPart} if the import fails and the server is unreachable
 * @throws the error of the import if the import fails although the server is reachable. The server then usually has a
 * new version, which a reload loads.
 */
export async function fetchPart<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part
  } catch (cause) {
    if (await canReachServer()) throw cause
    throw new MissingPart('This part of the app is not on this device.', { cause })
  }
}
