import { basePath } from './base-path.ts'
import { askEarly } from './early-requests.ts'
import { OFFLINE_COPY_HEADER } from './offline/offline-copy.ts'
import { requestHeaders } from './request-headers.ts'

/** Draws the page at the present address as far as it can be seen before the app is there; `null` leaves it to the app. */
export type DrawEarly = () => Promise<HTMLElement | null>

/** The parts of the present address below the base path; `null` where somebody has written what is no address. */
export function addressParts(): readonly string[] | null {
  const { pathname } = window.location
  try {
    return decodeURIComponent(pathname.slice(basePath.length)).split('/').slice(1)
  } catch {
    return null
  }
}

/**
 * Asks for what a page shows first; the app goes on with the same answer.
 * @returns `null` for what only the app can show: failures, and copies from this device
 */
export async function askEarlyData<Data>(url: string): Promise<Data | null> {
  const response = await askEarly(url, requestHeaders()).catch(() => null)
  if (!response?.ok || response.headers.has(OFFLINE_COPY_HEADER)) return null
  const reply = (await response.json()) as { readonly data?: Data }
  return reply.data ?? null
}
