import { type Clock, type Lanes, Upload } from '@dropleaf/uploader'
import { ApiError } from '../../../lib/api-error.ts'
import {
  blobSource,
  type UploadBatch,
  type UploadEntry,
  type UploadResult,
  type UploadStore,
} from '../../../domains/transfers/uploads/upload-store.ts'
import type { UploadItem, UploadOptions } from './upload-item.ts'
import { fileIdentity, isUnderWay, newUploadItem, slugOf } from './upload-item.ts'
import { type ShareCalls, shareTransport } from './share-transport.ts'

export interface BatchResult {
  readonly succeeded: number
  readonly failed: number
}

interface QueueOptions extends ShareCalls {
  /** Where the uploads run, beside the uploads of other pages. */
  store: UploadStore
  lanes: Lanes
  clock: Clock
}

interface Row {
  readonly item: UploadItem
  /** In the store, once the upload was started. */
  readonly key: string | null
  /** Resolves when the server has answered the calls of the latest attempt. */
  readonly whenAnswered: () => Promise<void>
}

const NOTHING_PENDING = () => Promise.resolve()

const cancelled = () =>
  new ApiError({ kind: 'cancelled', code: 'client.cancelled', message: 'The upload was cancelled.' })

const isSettled = ({ status }: UploadItem) => status === 'success' || status === 'error'

/** A row as its upload stands now. */
function follow(item: UploadItem, entry: UploadEntry): UploadItem {
  const { state, stage, sentBytes, bytesPerSecond, remainingSeconds, error, result, isWaiting } = entry
  const moving = { ...item, sentBytes, bytesPerSecond, remainingSeconds, stage, error: null }
  if (isWaiting) return { ...moving, status: 'uploading', stage: null }
  switch (state) {
    case 'idle':
    case 'uploading':
      return { ...moving, status: 'uploading' }
    case 'paused':
      return { ...moving, status: 'paused' }
    case 'completed':
      return { ...moving, status: 'success', slug: result?.slug ?? null }
    case 'failed':
      return { ...moving, status: 'error', error }
    case 'aborted':
      return { ...moving, status: 'error', error: cancelled() }
    default:
      return state satisfies never
  }
}

/** The rows of the list. Notifies its listeners of changes. */
function createRows(store: UploadStore) {
  let rows: readonly Row[] = []
  let items: readonly UploadItem[] = []
  let lastId = 0
  const listeners = new Set<() => void>()

  const publish = (next: readonly Row[]) => {
    rows = next
    items = rows.map(({ item }) => item)
    for (const listener of listeners) listener()
  }
  /** A row whose upload is no longer in the store stays as it was. */
  const refresh = (next: readonly Row[] = rows) =>
    publish(
      next.map((row) => {
        const entry = row.key === null ? undefined : store.get(row.key)
        return entry ? { ...row, item: follow(row.item, entry) } : row
      }),
    )
  store.subscribe(() => refresh())

  return {
    get: () => rows,
    getItems: () => items,
    /** Adds files that are not in the list yet; returns how many were new. */
    add: (files: readonly File[]): number => {
      const known = new Set(
        items.filter(({ status }) => status !== 'success').map(({ file }) => fileIdentity(file)),
      )
      const fresh: Row[] = []
      for (const file of files) {
        if (known.has(fileIdentity(file))) continue
        known.add(fileIdentity(file))
        lastId += 1
        fresh.push({
          item: newUploadItem(`upload-${lastId}`, file),
          key: null,
          whenAnswered: NOTHING_PENDING,
        })
      }
      publish([...rows, ...fresh])
      return fresh.length
    },
    /** Removes rows from the list, except uploads in progress. */
    remove: (isMeant: (item: UploadItem) => boolean) =>
      publish(rows.filter(({ item }) => isUnderWay(item) || !isMeant(item))),
    /** Replaces each row that has the same id as a given one. */
    replace: (changed: ReadonlyMap<string, Row>) =>
      refresh(rows.map((row) => changed.get(row.item.id) ?? row)),
    reset: () => publish([]),
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

type Rows = ReturnType<typeof createRows>

/** Resolves when each of these rows has succeeded or failed. */
function whenSettled(rows: Rows, ids: ReadonlySet<string>): Promise<BatchResult> {
  return new Promise((resolve) => {
    const look = () => {
      const ours = rows.getItems().filter(({ id }) => ids.has(id))
      if (!ours.every(isSettled)) return
      stop()
      const succeeded = ours.filter(({ status }) => status === 'success').length
      resolve({ succeeded, failed: ids.size - succeeded })
    }
    const stop = rows.subscribe(look)
    look()
  })
}

/** The files that are to become shares. Errors of single files are in their rows; no call throws them. */
export function createUploadQueue(settings: QueueOptions) {
  const { store, lanes, clock } = settings
  const rows = createRows(store)
  let lastBatch = 0

  function launch(batch: readonly Row[], options: UploadOptions): ReadonlySet<string> {
    lastBatch += 1
    const shared: UploadBatch = {
      id: `share-${lastBatch}`,
      kind: 'share',
      directory: '',
      addedAtMs: clock.nowMs(),
    }
    // Each start is a new upload, with the current options of the form.
    store.forget(batch.map(({ key }) => key).filter((key) => key !== null))
    const attempts = batch.map(({ item: { id, file, batchNumber: known }, whenAnswered: before }, index) => {
      const batchNumber = known ?? (batch.length === 1 ? null : index + 1)
      const slug = slugOf(options.slug, batchNumber)
      return {
        item: { ...newUploadItem(id, file), batchNumber },
        ...shareTransport(settings, { file, options, slug, before }),
      }
    })
    const entries = store.add(
      attempts.map(({ item: { file }, calls: transport }) => ({
        batch: shared,
        name: file.name,
        file,
        upload: new Upload<Blob, UploadResult>({ transport, clock, lanes, source: blobSource(file) }),
        canContinue: false,
      })),
    )
    const started = new Map(
      attempts.map(({ item, whenAnswered }, index) => [
        item.id,
        { item, key: entries[index]?.key ?? null, whenAnswered },
      ]),
    )
    rows.replace(started)
    return new Set(started.keys())
  }

  /** Uploads every row that waits or has failed, or only the named one. Resolves when each has succeeded or failed. */
  function start(options: UploadOptions, onlyId?: string): Promise<BatchResult> {
    const batch = rows
      .get()
      .filter(
        ({ item: { id, status } }) =>
          (status === 'pending' || status === 'error') && (onlyId === undefined || id === onlyId),
      )
    if (batch.length === 0) return Promise.resolve({ succeeded: 0, failed: 0 })
    return whenSettled(rows, launch(batch, options))
  }

  const cancel = (isMeant: (item: UploadItem) => boolean) =>
    store.cancel(rows.get().flatMap(({ item, key }) => (key !== null && isMeant(item) ? [key] : [])))

  return {
    add: rows.add,
    remove: (id: string) => rows.remove((item) => item.id === id),
    clear: () => rows.remove(() => true),
    start,
    cancel: (id: string) => cancel((item) => item.id === id),
    cancelAll: () => cancel(isUnderWay),
    isBusy: () => rows.getItems().some(isUnderWay),
    getItems: rows.getItems,
    subscribe: rows.subscribe,
    /** Call after the session has changed. */
    reset: rows.reset,
  }
}
