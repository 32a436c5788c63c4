import { useSyncExternalStore } from 'react'
import type { RelativeFiles } from '../../../../domains/markdown/render/relative-links.ts'
import { holdForOwner } from '../../../../domains/session/session-owner.ts'
import type { PickedFile } from '../../../../domains/transfers/uploads/picked-files.ts'
import { ApiError } from '../../../../lib/api-error.ts'

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

/** URLs of the bytes, which last as long as their files are chosen in this tab. */
const urls = new WeakMap<File, string>()

function urlOf(file: File): string {
  const url = urls.get(file) ?? URL.createObjectURL(file)
  urls.set(file, url)
  return url
}

const plainPath = (address: string): string => {
  try {
    return decodeURIComponent(address.replace(/[?#].*$/s, '').replace(/^\.\//, ''))
  } catch {
    return address
  }
}

/** Lets the preview show pictures that are not uploaded yet. */
export const besideOf = (chosen: readonly HomePick[]): RelativeFiles => ({
  pageOf: () => null,
  open: () => undefined,
  findBytes: async (address) => {
    const pick = chosen.find(({ path }) => path === plainPath(address))
    if (!pick) throw new ApiError({ kind: 'http', code: 'fs.not_found', message: '' })
    return urlOf(pick.picked.file)
  },
})
