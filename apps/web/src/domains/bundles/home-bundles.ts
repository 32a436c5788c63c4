import { useSyncExternalStore } from 'react'
import { holdForOwner } from '../session/session-owner.ts'
import type { PickedFile } from '../transfers/uploads/picked-files.ts'

/** The files and bundles of the home page. The page reads this state before the code for bundles is loaded. */

function createStore<T>(first: T) {
  let now = first
  const listeners = new Set<() => void>()
  const get = () => now
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  return {
    get,
    set(next: T) {
      now = next
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, get),
  }
}

interface HomeBundles {
  /** Whether the page has bundles to show. */
  readonly hasAny: boolean
  /** Key of the unfinished bundle to which the page adds files, or `null`. */
  readonly openKey: string | null
  /** Whether the unfinished bundle is end-to-end encrypted; `null` if there is none. */
  readonly isOpenSealed: boolean | null
}

const bundles = createStore<HomeBundles>({ hasAny: false, openKey: null, isOpenSealed: null })
export const getHomeBundles = bundles.get
export const useHomeBundles = bundles.use

export function noteHomeBundles(now: HomeBundles): void {
  const { hasAny, openKey } = bundles.get()
  if (now.hasAny !== hasAny || now.openKey !== openKey) bundles.set(now)
}

/** A file that is shared with the text of the home page, under the same link. */
export interface HomePick {
  readonly id: string
  readonly picked: PickedFile
  /** Path in the bundle. */
  readonly path: string
}

const picks = createStore<readonly HomePick[]>([])
let lastId = 0
export const getHomePicks = picks.get
export const useHomePicks = picks.use

/** @param added files whose paths must not collide with each other or with the paths of earlier picks */
export function addHomePicks(added: readonly Omit<HomePick, 'id'>[]): void {
  const fresh = added.map((pick) => {
    lastId += 1
    return { ...pick, id: `home-pick-${lastId}` }
  })
  picks.set([...picks.get(), ...fresh])
}

export function removeHomePicks(ids: readonly string[]): void {
  picks.set(picks.get().filter(({ id }) => !ids.includes(id)))
}

holdForOwner({ onGone: () => picks.set([]) })
