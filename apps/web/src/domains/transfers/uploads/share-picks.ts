import { isSameFile } from '@dropleaf/uploader'
import { useSyncExternalStore } from 'react'
import { holdForOwner } from '../../session/session-owner.ts'
import { continueWith, matchFiles } from './continue-upload.ts'
import type { PickedFile } from './picked-files.ts'
import type { FileFacts, UploadEntry } from './upload-store.ts'
import { statusOf } from './upload-status.ts'
import { uploads } from './uploads.ts'

/** A file chosen for sharing whose upload has not started. */
export interface SharePick {
  readonly id: string
  readonly file: FileFacts
  /** Folder in which the file was chosen, such as `a/b/`, or `''`. */
  readonly folder: string
  /** Path in the bundle if it differs from the file's own path, otherwise `null`. */
  readonly path: string | null
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

const hasEnded = (entry: UploadEntry) => ['completed', 'failed', 'cancelled'].includes(statusOf(entry))

/**
 * Adds chosen files. If an interrupted upload waits for a file, resumes that upload. Skips files that are already in
 * the list.
 *
 * @returns the names of files that are skipped because they are being uploaded
 */
export function addPicks(chosen: readonly PickedFile[]): string[] {
  // Choosing a cancelled or failed file again restarts its upload.
  const shares = uploads.getAll().filter((entry) => entry.batch.kind === 'share' && !hasEnded(entry))
  const { found, others } = matchFiles(
    shares.filter((entry) => statusOf(entry) === 'needsFile'),
    chosen.map(({ file }) => file),
  )
  for (const { entry, file } of found) continueWith(entry, file)
  let next = picks
  const underWay: string[] = []
  for (const { file, folder, handle = null } of chosen) {
    // If a reload has lost a file, the user can choose that file without its folder.
    const known = next.find(
      (pick) => isSameFile(file, pick.file) && (pick.bytes === null || pick.folder === folder),
    )
    const isUnderWay = shares.some((entry) => isSameFile(file, entry.file))
    if (known?.bytes === null)
      next = next.map((pick) => (pick === known ? { ...pick, bytes: file, handle } : pick))
    else if (others.includes(file) && isUnderWay) underWay.push(file.name)
    else if (others.includes(file) && !known)
      next = [...next, { id: newId(), file, folder, path: null, bytes: file, handle }]
  }
  publish(next)
  return underWay
}

export const isSamePick = ({ file }: SharePick, other: FileFacts): boolean => isSameFile(other, file)

/** Adds files that were lost in a reload. */
export const addLostPicks = (lost: readonly Pick<SharePick, 'file' | 'folder'>[]): void =>
  publish([...picks, ...lost.map((one) => ({ ...one, id: newId(), path: null, bytes: null, handle: null }))])

/** Changes the paths of files in a bundle. */
export function renamePicks(changes: ReadonlyMap<string, string>): void {
  publish(picks.map((pick) => ({ ...pick, path: changes.get(pick.id) ?? pick.path })))
}

export function removePicks(ids: readonly string[]): void {
  publish(picks.filter(({ id }) => !ids.includes(id)))
}

holdForOwner({ onGone: () => publish([]) })
