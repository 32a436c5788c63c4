import { type Clock, type Lanes, type Transport, Upload, type Verdict } from '@dropleaf/uploader'
import { ApiError } from '../../../lib/api-error.ts'
import { wholePlan } from '../../../domains/transfers/uploads/upload-calls.ts'
import {
  blobSource,
  type UploadBatch,
  type UploadEntry,
  type UploadResult,
  type UploadStore,
} from '../../../domains/transfers/uploads/upload-store.ts'
import type { UploadItem, UploadOptions } from './upload-item.ts'
import { fileIdentity, isUnderWay, newUploadItem, slugOf } from './upload-item.ts'
import type { Reservation, UploadTransport } from './upload-transport.ts'

export interface BatchResult {
  readonly succeeded: number
  readonly failed: number
}

interface QueueOptions {
  /** Where the uploads run, beside those of other pages. */
  store: UploadStore
  lanes: Lanes
  clock: Clock
  transport: UploadTransport
  judge: (error: unknown) => Verdict
}

interface Row {
  readonly item: UploadItem
  /** In the store, once it was started. */
  readonly key: string | null
  /** Ends when the server has been told what becomes of the latest try. */
  readonly whenTold: () => Promise<void>
}

const NOTHING_TO_TELL = () => Promise.resolve()

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

interface ShareOrder {
  readonly file: File
  readonly options: UploadOptions
  readonly slug: string
  /** When the try before no longer has the suffix. */
  readonly before: () => Promise<void>
}

/** The calls that make a file a share: one PUT, for shares have no uploads in parts. */
function shareTransport(
  { transport, judge }: Pick<QueueOptions, 'transport' | 'judge'>,
  { file, options, slug, before }: ShareOrder,
) {
  let reservation: Reservation | null = null
  const telling = new Set<Promise<unknown>>()
  function tell<T>(call: Promise<T>): Promise<T> {
    telling.add(call)
    const forget = () => void telling.delete(call)
    call.then(forget, forget)
    return call
  }
  const reserved = () => {
    if (!reservation) throw new Error('The upload has not begun.')
    return reservation
  }
  const calls: Transport<Blob, UploadResult> = {
    async begin(signal) {
      await before()
      signal.throwIfAborted()
      // An answer that comes after the end names what has to be given up.
      reservation = await tell(transport.reserve({ file, options, slug }))
      return { id: reservation.fileId, plan: wholePlan(file.size), addresses: new Map() }
    },
    send: ({ body, signal, onProgress }) =>
      transport.send({ reservation: reserved(), file: body, signal, onProgress }),
    async finish({ parts, signal }) {
      const etag = parts[0]?.etag ?? null
      const order = { reservation: reserved(), file, options, etag, signal }
      return { path: null, slug: await transport.commit(order) }
    },
    discard: (id) => tell(transport.discard(id)),
    judge,
  }
  const whenTold = async () => {
    while (telling.size > 0) await Promise.allSettled(telling)
  }
  return { calls, whenTold }
}

/**
 * The files that are to become shares. Knows no screen: it keeps the list, tells listeners when it changes, and never throws
 * what a single file ran into; that is in its row.
 */
export function createUploadQueue(settings: QueueOptions) {
  const { store, lanes, clock } = settings
  let rows: readonly Row[] = []
  let items: readonly UploadItem[] = []
  let lastId = 0
  let lastBatch = 0
  const listeners = new Set<() => void>()

  const publish = (next: readonly Row[]) => {
    rows = next
    items = rows.map(({ item }) => item)
    for (const listener of listeners) listener()
  }
  /** What was taken off the other list stays here as it was last seen. */
  const refresh = () => {
    const next = rows.map((row) => {
      const entry = row.key === null ? undefined : store.get(row.key)
      return entry ? { ...row, item: follow(row.item, entry) } : row
    })
    publish(next)
  }
  store.subscribe(refresh)

  /** Adds files that are not in the list yet; answers how many were new. */
  function add(files: readonly File[]): number {
    const known = new Set(
      items.filter(({ status }) => status !== 'success').map(({ file }) => fileIdentity(file)),
    )
    const fresh: Row[] = []
    for (const file of files) {
      if (known.has(fileIdentity(file))) continue
      known.add(fileIdentity(file))
      lastId += 1
      fresh.push({ item: newUploadItem(`upload-${lastId}`, file), key: null, whenTold: NOTHING_TO_TELL })
    }
    publish([...rows, ...fresh])
    return fresh.length
  }

  /** Removes rows from the list; running ones stay. */
  function remove(isMeant: (item: UploadItem) => boolean) {
    publish(rows.filter(({ item }) => isUnderWay(item) || !isMeant(item)))
  }

  function launch(batch: readonly Row[], options: UploadOptions): readonly string[] {
    lastBatch += 1
    const shared: UploadBatch = {
      id: `share-${lastBatch}`,
      kind: 'share',
      directory: '',
      addedAtMs: clock.nowMs(),
    }
    // Each start is an upload of its own, with what the form says now.
    store.forget(batch.map(({ key }) => key).filter((key) => key !== null))
    const tries = batch.map(({ item: { id, file, batchNumber: known }, whenTold: before }, index) => {
      const batchNumber = known ?? (batch.length === 1 ? null : index + 1)
      const slug = slugOf(options.slug, batchNumber)
      return {
        item: { ...newUploadItem(id, file), batchNumber },
        ...shareTransport(settings, { file, options, slug, before }),
      }
    })
    const entries = store.add(
      tries.map(({ item: { file }, calls: transport }) => ({
        batch: shared,
        name: file.name,
        file,
        upload: new Upload<Blob, UploadResult>({ transport, clock, lanes, source: blobSource(file) }),
        canContinue: false,
      })),
    )
    const started = new Map(
      tries.map(({ item, whenTold }, index) => [
        item.id,
        { item, key: entries[index]?.key ?? null, whenTold },
      ]),
    )
    rows = rows.map((row) => started.get(row.item.id) ?? row)
    refresh()
    return [...started.keys()]
  }

  /** Uploads every row that waits or has failed, or just the one named. Ends when each has succeeded or failed. */
  function start(options: UploadOptions, onlyId?: string): Promise<BatchResult> {
    const batch = rows.filter(
      ({ item: { id, status } }) =>
        (status === 'pending' || status === 'error') && (onlyId === undefined || id === onlyId),
    )
    if (batch.length === 0) return Promise.resolve({ succeeded: 0, failed: 0 })
    const ids = new Set(launch(batch, options))
    return new Promise((resolve) => {
      const look = () => {
        const ours = items.filter(({ id }) => ids.has(id))
        if (!ours.every(isSettled)) return
        listeners.delete(look)
        const succeeded = ours.filter(({ status }) => status === 'success').length
        resolve({ succeeded, failed: ids.size - succeeded })
      }
      listeners.add(look)
      look()
    })
  }

  const keysOf = (isMeant: (item: UploadItem) => boolean) =>
    rows.flatMap(({ item, key }) => (key !== null && isMeant(item) ? [key] : []))

  return {
    add,
    remove: (id: string) => remove((item) => item.id === id),
    clear: () => remove(() => true),
    start,
    cancel: (id: string) => store.cancel(keysOf((item) => item.id === id)),
    cancelAll: () => store.cancel(keysOf(isUnderWay)),
    isBusy: () => items.some(isUnderWay),
    getItems: () => items,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Nothing of the list is anybody's any more. */
    reset: () => publish([]),
  }
}
