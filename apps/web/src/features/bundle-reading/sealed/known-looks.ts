import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'
import { otherServer } from '../../../lib/server-address.ts'
import type { SealedLook } from './open-sealed.ts'

/**
 * Public facts about the encrypted bundles that this browser has opened. A server does not return these facts once a
 * bundle is used up. This browser stores them, because the device that used the last view may come back during the
 * grace. The facts contain nothing secret.
 */
const KEY = 'dropleaf.sealed-looks'
const KEPT = 50

type Entry = readonly [place: string, look: SealedLook]

const placeOf = (slug: string) => `${otherServer ?? ''}/${slug}`

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) &&
  typeof value[0] === 'string' &&
  typeof (value[1] as Partial<SealedLook> | undefined)?.salt === 'string'

function read(): readonly Entry[] {
  const stored = readStoredJson(KEY)
  return Array.isArray(stored) ? stored.filter(isEntry) : []
}

export const findKnownLook = (slug: string): SealedLook | null =>
  read().find(([place]) => place === placeOf(slug))?.[1] ?? null

export const isKnownId = (id: string): boolean => read().some(([, look]) => look.id === id)

export function noteLook(slug: string, look: SealedLook): void {
  const place = placeOf(slug)
  const others = read().filter(([known]) => known !== place)
  writeStored(KEY, JSON.stringify([...others, [place, look]].slice(-KEPT)))
}
