import { useSyncExternalStore } from 'react'

/** What the home page needs to know about its bundles before their code has loaded. */
interface HomeBundles {
  /** Whether the page has bundles to show. */
  readonly hasAny: boolean
  /** Key of the unfinished bundle to which the page adds, or `null`. */
  readonly openKey: string | null
}

let home: HomeBundles = { hasAny: false, openKey: null }
const listeners = new Set<() => void>()

export const getHomeBundles = (): HomeBundles => home

export function noteHomeBundles(now: HomeBundles): void {
  if (now.hasAny === home.hasAny && now.openKey === home.openKey) return
  home = now
  for (const listener of listeners) listener()
}

export const useHomeBundles = (): HomeBundles =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, getHomeBundles)
