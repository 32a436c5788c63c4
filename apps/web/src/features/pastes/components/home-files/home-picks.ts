import { useSyncExternalStore } from 'react'
import { holdForOwner } from '../../../../domains/session/session-owner.ts'
import type { PickedFile } from '../../../../domains/transfers/uploads/picked-files.ts'

/** A file that is shared with the text of the home page, under the same link. */
export interface HomePick {
  readonly id: string
  readonly picked: PickedFile
  /** Path in the bundle. */
  readonly path: string
}

let picks: readonly HomePick[] = []
let lastId = 0
const listeners = new Set<() => void>()

function publish(next: readonly HomePick[]): void {
  picks = next
  for (const listener of listeners) listener()
}

export const getHomePicks = (): readonly HomePick[] => picks

export const useHomePicks = (): readonly HomePick[] =>
  useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }, getHomePicks)

/** @param added with paths that are valid together with those of the present files */
export function addHomePicks(added: readonly Omit<HomePick, 'id'>[]): void {
  publish([
    ...picks,
    ...added.map((pick) => {
      lastId += 1
      return { ...pick, id: `home-pick-${lastId}` }
    }),
  ])
}

export function removeHomePicks(ids: readonly string[]): void {
  publish(picks.filter(({ id }) => !ids.includes(id)))
}

holdForOwner({ onGone: () => publish([]) })
