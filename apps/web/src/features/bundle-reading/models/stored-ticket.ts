import { otherServer } from '../../../lib/server-address.ts'

/**
 * Ticket of an opened bundle, stored so that a reload does not use another view. It is never stored in `localStorage`,
 * because it opens the bundle without a password.
 */
export interface StoredTicket {
  readonly ticket: string
  readonly revision: number
}

const keyOf = (slug: string) => `dropleaf.bundle.${otherServer ?? ''}/${slug}`

/** Holds the tickets if `sessionStorage` is blocked or full. A reload clears this map. */
const inMemory = new Map<string, StoredTicket>()

function parse(text: string | null): StoredTicket | null {
  if (text === null) return null
  try {
    const { ticket, revision } = JSON.parse(text) as Record<string, unknown>
    return typeof ticket === 'string' && typeof revision === 'number' ? { ticket, revision } : null
  } catch {
    return null
  }
}

export function findTicket(slug: string): StoredTicket | null {
  const key = keyOf(slug)
  try {
    return inMemory.get(key) ?? parse(sessionStorage.getItem(key))
  } catch {
    return inMemory.get(key) ?? null
  }
}

export function storeTicket(slug: string, { ticket, revision }: StoredTicket): void {
  const key = keyOf(slug)
  try {
    sessionStorage.setItem(key, JSON.stringify({ ticket, revision }))
    inMemory.delete(key)
  } catch {
    inMemory.set(key, { ticket, revision })
  }
}

export function forgetTicket(slug: string): void {
  const key = keyOf(slug)
  inMemory.delete(key)
  try {
    sessionStorage.removeItem(key)
  } catch {
    // The browser blocks the storage, so it contains nothing to remove.
    return
  }
}
