import { isSameFile } from '@dropleaf/uploader'
import { useSyncExternalStore } from 'react'
import { holdForOwner } from '../../session/session-owner.ts'
import { continueWith, matchFiles } from './continue-upload.ts'
import type { PickedFile } from './picked-files.ts'
import type { FileFacts } from './upload-store.ts'
import { statusOf } from './upload-status.ts'
import { uploads } from './uploads.ts'

/** A file chosen for sharing whose upload has not started. */
export interface SharePick {
  readonly id: string
  readonly file: FileFacts
  /** `null` if a reload lost the file, so that the user has to choose it again. */
  readonly bytes: File | null
  readonly handle: FileSystemFileHandle | null
}

let picks: readonly SharePick[] = []
let lastId = 0
const listeners = new Set<() => void>()

function publish(next: readonly SharePick[]) {
  picks = next
  for (const listener of listeners) listener()
}

const newId = () => {
  lastId += 1
  return `pick-${lastId}`
}

export const getPicks = (): readonly SharePick[] => picks

function subscribePicks(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const usePicks = (): readonly SharePick[] => useSyncExternalStore(subscribePicks, getPicks, getPicks)

/**
 * Adds chosen files. A file for which an interrupted upload waits resumes that upload. Files already in the list are
 * skipped.
 */
export function addPicks(chosen: readonly PickedFile[]): void {
  const shares = uploads
    .getAll()
    .filter(({ batch, state }) => batch.kind === 'share' && state !== 'completed')
  const { found, others } = matchFiles(
    shares.filter((entry) => statusOf(entry) === 'needsFile'),
    chosen.map(({ file }) => file),
  )
  for (const { entry, file } of found) continueWith(entry, file)
  let next = picks
  for (const { file, handle = null } of chosen) {
    const known = next.find((pick) => isSameFile(file, pick.file))
    const isUnderWay = shares.some((entry) => isSameFile(file, entry.file))
    if (known?.bytes === null)
      next = next.map((pick) => (pick === known ? { ...pick, bytes: file, handle } : pick))
    else if (others.includes(file) && !known && !isUnderWay)
      next = [...next, { id: newId(), file, bytes: file, handle }]
  }
  publish(next)
}

export const isSamePick = ({ file }: SharePick, other: FileFacts): boolean => isSameFile(other, file)

/** Adds files that were lost in a reload. */
export const addLostPicks = (files: readonly FileFacts[]): void =>
  publish([...picks, ...files.map((file) => ({ id: newId(), file, bytes: null, handle: null }))])

export function removePicks(ids: readonly string[]): void {
  publish(picks.filter(({ id }) => !ids.includes(id)))
}

holdForOwner({ onGone: () => publish([]) })
