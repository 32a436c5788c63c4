import { ApiError } from '../../../lib/api-error.ts'
import type { UploadOptions, UploadItem } from './upload-item.ts'
import { fileIdentity, newUploadItem, slugOf } from './upload-item.ts'
import { createRateMeter } from './upload-rate.ts'
import type { Reservation, UploadTransport } from './upload-transport.ts'

const MAX_AT_ONCE = 3

export interface BatchResult {
  readonly succeeded: number
  readonly failed: number
}

interface QueueOptions {
  transport: UploadTransport
  nowMs?: () => number
}

const cancelled = () =>
  new ApiError({ kind: 'cancelled', code: 'client.cancelled', message: 'The upload was cancelled.' })

/**
 * Uploads files, a few at a time. Knows no screen: it keeps the list, tells listeners when it changes, and never throws what
 * a single file ran into; that is in its row.
 */
export function createUploadQueue({ transport, nowMs = Date.now }: QueueOptions) {
  let items: readonly UploadItem[] = []
  let lastId = 0
  const listeners = new Set<() => void>()
  const controllers = new Map<string, AbortController>()

  const publish = (next: readonly UploadItem[]) => {
    items = next
    for (const listener of listeners) listener()
  }
  const change = (id: string, fields: Partial<UploadItem>) =>
    publish(items.map((item) => (item.id === id ? { ...item, ...fields } : item)))
  const find = (id: string) => items.find((item) => item.id === id)

  /** Adds files that are not in the list yet; answers how many were new. */
  function add(files: readonly File[]): number {
    const known = new Set(
      items.filter(({ status }) => status !== 'success').map(({ file }) => fileIdentity(file)),
    )
    const fresh: UploadItem[] = []
    for (const file of files) {
      if (known.has(fileIdentity(file))) continue
      known.add(fileIdentity(file))
      lastId += 1
      fresh.push(newUploadItem(`upload-${lastId}`, file))
    }
    publish([...items, ...fresh])
    return fresh.length
  }

  /** Takes rows off the list; those under way stay. */
  function remove(isMeant: (item: UploadItem) => boolean) {
    publish(items.filter((item) => item.status === 'uploading' || !isMeant(item)))
  }

  async function uploadOne(id: string, options: UploadOptions): Promise<boolean> {
    const item = find(id)
    const controller = controllers.get(id)
    if (!item || !controller) return false
    const { signal } = controller
    const { file } = item
    let reservation: Reservation | null = null
    try {
      signal.throwIfAborted()
      reservation = await transport.reserve({
        file,
        options,
        slug: slugOf(options.slug, item.batchNumber),
        signal,
      })
      signal.throwIfAborted()
      const meter = createRateMeter(file.size)
      meter.add({ atMs: nowMs(), sentBytes: 0 })
      const onProgress = (sentBytes: number) =>
        change(id, { sentBytes, ...meter.add({ atMs: nowMs(), sentBytes }) })
      const etag = await transport.send({ reservation, file, signal, onProgress })
      signal.throwIfAborted()
      change(id, { sentBytes: file.size, remainingSeconds: null })
      const slug = await transport.commit({ reservation, file, options, etag, signal })
      change(id, { status: 'success', slug, sentBytes: file.size, bytesPerSecond: null })
      return true
    } catch (error) {
      const reason = signal.aborted ? cancelled() : error
      change(id, { status: 'error', error: reason, bytesPerSecond: null, remainingSeconds: null })
      // What stays behind when this fails too is swept by the server.
      if (reservation) await transport.discard(reservation.fileId).catch(() => undefined)
      return false
    } finally {
      controllers.delete(id)
    }
  }

  function markStarted(batch: readonly UploadItem[]) {
    const isAlone = batch.length === 1
    const numbers = new Map(batch.map(({ id }, index) => [id, isAlone ? null : index + 1]))
    for (const { id } of batch) controllers.set(id, new AbortController())
    publish(
      items.map((item) => {
        const number = numbers.get(item.id)
        if (number === undefined) return item
        return {
          ...newUploadItem(item.id, item.file),
          status: 'uploading',
          batchNumber: item.batchNumber ?? number,
        }
      }),
    )
  }

  /** Uploads every row that waits or has failed, or just the one named. Ends when each has succeeded or failed. */
  async function start(options: UploadOptions, onlyId?: string): Promise<BatchResult> {
    const batch = items.filter(
      ({ id, status }) =>
        (status === 'pending' || status === 'error') && (onlyId === undefined || id === onlyId),
    )
    if (batch.length === 0) return { succeeded: 0, failed: 0 }
    markStarted(batch)
    const waiting = batch.map(({ id }) => id)
    let succeeded = 0
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        if (await uploadOne(id, options)) succeeded += 1
      }
    }
    await Promise.all(Array.from({ length: Math.min(MAX_AT_ONCE, batch.length) }, work))
    return { succeeded, failed: batch.length - succeeded }
  }

  function cancel(id: string) {
    controllers.get(id)?.abort()
  }

  function cancelAll() {
    for (const controller of controllers.values()) controller.abort()
  }

  return {
    add,
    remove: (id: string) => remove((item) => item.id === id),
    clear: () => remove(() => true),
    start,
    cancel,
    cancelAll,
    isBusy: () => controllers.size > 0,
    getItems: () => items,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
