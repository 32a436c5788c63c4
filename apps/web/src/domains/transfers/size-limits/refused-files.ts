import { useSyncExternalStore } from 'react'
import { holdForOwner } from '../../session/session-owner.ts'
import type { SizeProblem } from './size-limit.ts'

/** A file that was dropped or pasted on the home page, and is too large to be uploaded. */
export interface RefusedFile {
  readonly id: string
  readonly name: string
  readonly sizeBytes: number
  readonly problem: SizeProblem
}

let refused: readonly RefusedFile[] = []
let lastId = 0
const listeners = new Set<() => void>()

function publish(next: readonly RefusedFile[]): void {
  refused = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const getRefused = (): readonly RefusedFile[] => refused

export const useRefusedFiles = (): readonly RefusedFile[] =>
  useSyncExternalStore(subscribe, getRefused, getRefused)

export function addRefusedFiles(files: ReadonlyArray<Omit<RefusedFile, 'id'>>): void {
  const added = files.map((file) => {
    lastId += 1
    return { ...file, id: `refused-${lastId}` }
  })
  if (added.length > 0) publish([...refused, ...added])
}

export const forgetRefusedFiles = (ids: readonly string[]): void =>
  publish(refused.filter(({ id }) => !ids.includes(id)))

holdForOwner({ onGone: () => publish([]) })
