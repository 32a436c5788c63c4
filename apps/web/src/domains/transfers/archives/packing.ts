import { useSyncExternalStore } from 'react'
import type { BasketItem } from './basket.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { type JobHandle, registerJob } from '../tasks/local-jobs.ts'
import { type PackSource, packHere, packOnServer } from './sources.ts'
import { canWriteFiles, fileTarget, memoryTarget, type PackTarget, pickFile } from './targets.ts'

export type Packer = 'server' | 'browser'

export type PackStage =
  | 'choosing'
  | 'preparing'
  | 'downloading'
  | 'generating'
  | 'completed'
  | 'failed'
  | 'cancelled'

/** State of the current or last archive. The archive is still created after the user leaves the screen. */
export interface Packing {
  readonly name: string
  readonly stage: PackStage
  readonly doneBytes: number
  /** Sum of the sizes in the list. The actual size can be larger, because folders can contain more. */
  readonly expectedBytes: number
  readonly failures: readonly string[]
  readonly error: unknown
}

let current: Packing | null = null
let abort: AbortController | null = null
/** Entry of the archive in the tray. */
let job: JobHandle | null = null
const listeners = new Set<() => void>()

function show(next: Packing | null): void {
  current = next
  for (const listener of listeners) listener()
}

const change = (part: Partial<Packing>): void => {
  if (current) show({ ...current, ...part })
}

export const isPacking = (packing: Packing | null): boolean =>
  packing !== null && ['choosing', 'preparing', 'downloading', 'generating'].includes(packing.stage)

/** Number of bytes between progress updates. */
const SHOWN_EVERY_BYTES = 512 * 1024

async function pour(source: PackSource, target: PackTarget): Promise<void> {
  const reader = source.stream.getReader()
  let doneBytes = 0
  let shownBytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    try {
      await target.write(value)
    } catch (error) {
      // Cancels pending requests for files, because nothing reads their bytes any more.
      await reader.cancel(error).catch(() => undefined)
      throw error
    }
    doneBytes += value.length
    if (doneBytes - shownBytes < SHOWN_EVERY_BYTES) continue
    shownBytes = doneBytes
    change({ stage: 'downloading', doneBytes })
    job?.update({ doneBytes })
  }
  change({ stage: 'generating', doneBytes })
  await target.finish()
}

const two = (value: number) => String(value).padStart(2, '0')
const archiveName = (now: Date): string =>
  `dropleaf-${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}-${two(now.getHours())}${two(now.getMinutes())}.zip`

/** Whether the archive contains an item completely. */
export function isWhole({ path }: Pick<BasketItem, 'path'>, failures: readonly string[]): boolean {
  const plain = path.replace(/\/$/, '')
  return !failures.some((line) => line.startsWith(`${plain}: `) || line.startsWith(`${plain}/`))
}

/**
 * Creates an archive of the items and saves it. Must be called in a click handler, because the browser asks for a
 * target file.
 * @returns the items that are complete in the saved archive; empty if it was not saved, or if another archive is being
 * created
 */
export async function pack(items: readonly BasketItem[], packer: Packer): Promise<readonly BasketItem[]> {
  if (isPacking(current)) return []
  const name = archiveName(new Date())
  abort = new AbortController()
  const { signal } = abort
  const expectedBytes = items.reduce((sum, { size }) => sum + size, 0)
  const before = current
  const begun = { name, doneBytes: 0, expectedBytes, failures: [], error: null }
  let handle: FileSystemFileHandle | null | undefined
  if (canWriteFiles()) {
    show({ ...begun, stage: 'choosing' })
    try {
      handle = await pickFile(name)
    } catch (error) {
      show({ ...begun, stage: 'failed', error })
      return []
    }
    // Shows the previous state again, because no archive was started.
    if (handle === null || signal.aborted) {
      show(before)
      return []
    }
  }
  show({ ...begun, stage: 'preparing' })
  job = registerJob({ kind: 'pack', name, cancel: cancelPacking, totalBytes: expectedBytes || null })
  let target: PackTarget | null = null
  try {
    target = handle ? await fileTarget(handle) : memoryTarget(name)
    const source = await (packer === 'server' ? packOnServer : packHere)({ items, name, signal })
    await pour(source, target)
    const failures = source.failures()
    change({ stage: 'completed', failures })
    job.end('completed', { failures, doneBytes: current?.doneBytes ?? 0 })
    return items.filter((item) => isWhole(item, failures))
  } catch (error) {
    await target?.discard()
    change(signal.aborted ? { stage: 'cancelled' } : { stage: 'failed', error })
    if (signal.aborted) job.end('cancelled')
    else job.end('failed', { failures: [errorText(error)] })
    return []
  }
}

export const cancelPacking = (): void => abort?.abort()
export const dismissPacking = (): void => {
  if (!isPacking(current)) show(null)
}

export const usePacking = (): Packing | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
    () => current,
  )
