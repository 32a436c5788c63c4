import { bundleReadingRoutes, SEALED_ADDRESSES_MAX } from '@dropleaf/contract'
import { api } from '../../api/api-client.ts'

/** URLs from which an encrypted object can be read until they expire. */
export interface ObjectAddress {
  /** URL of the object in its storage. */
  readonly url: string
  /** URL of the same bytes on the server, for browsers that cannot reach the storage. */
  readonly relayUrl: string
  readonly expiresAtMs: number
}

export type AskAddresses = (
  objects: readonly number[],
) => Promise<readonly (ObjectAddress & { readonly n: number })[]>

/** Requests URLs with the ticket of an opened bundle. @throws {ApiError} */
export const askAddressesOf =
  ({ slug, ticket }: { readonly slug: string; readonly ticket: string }): AskAddresses =>
  async (objects) => {
    const body = { ticket, objects: [...objects] }
    const { data } = await api(bundleReadingRoutes.addresses, { params: { slug }, body })
    return data.map(({ n, url, relay_url: relayUrl, expires_at: expiresAt }) => ({
      n,
      url,
      relayUrl,
      expiresAtMs: Date.parse(expiresAt),
    }))
  }

/** A URL that expires within this time is not used, because a read takes time. */
const MARGIN_MS = 60_000
/**
 * A URL that was requested less than this time ago is used even if it seems to have expired, because the clock of this
 * device can be wrong.
 */
const TRUSTED_MS = 5 * 60_000

interface Known {
  readonly askedAtMs: number
  readonly address: Promise<ObjectAddress>
  /** Set when the response has arrived. */
  expiresAtMs: number
}

export interface Addresses {
  /**
   * Returns the URLs of an object. Also requests the URLs of the following objects, so that many objects need few
   * requests.
   * @param isFresh whether the storage has refused the known URL
   */
  readonly find: (n: number, options?: { readonly isFresh?: boolean }) => Promise<ObjectAddress>
}

/** @param numbers of all objects of the bundle */
export function createAddresses({
  ask,
  numbers,
  nowMs = Date.now,
}: {
  readonly ask: AskAddresses
  readonly numbers: readonly number[]
  readonly nowMs?: () => number
}): Addresses {
  const known = new Map<number, Known>()
  const isUsable = ({ askedAtMs, expiresAtMs }: Known) =>
    nowMs() < Math.max(expiresAtMs - MARGIN_MS, askedAtMs + TRUSTED_MS)
  const needsAddress = (n: number) => {
    const found = known.get(n)
    return found === undefined || !isUsable(found)
  }
  function request(n: number): Known {
    const after = numbers.slice(numbers.indexOf(n) + 1).filter(needsAddress)
    const wanted = [n, ...after].slice(0, SEALED_ADDRESSES_MAX)
    const asked = ask(wanted)
    const askedAtMs = nowMs()
    const made = wanted.map((one): [number, Known] => {
      const address = asked.then((rows) => {
        const row = rows.find((found) => found.n === one)
        if (!row) throw new Error(`Object ${one} has no address.`)
        entry.expiresAtMs = row.expiresAtMs
        return row
      })
      const entry: Known = { askedAtMs, address, expiresAtMs: Infinity }
      // If the request fails, the next caller sends it again.
      address.catch(() => {
        if (known.get(one) === entry) known.delete(one)
      })
      return [one, entry]
    })
    for (const [one, entry] of made) known.set(one, entry)
    const [first] = made
    if (!first) throw new Error('No object was asked for.')
    return first[1]
  }
  return {
    find(n, { isFresh = false } = {}) {
      const found = known.get(n)
      return (found && !isFresh && isUsable(found) ? found : request(n)).address
    },
  }
}
