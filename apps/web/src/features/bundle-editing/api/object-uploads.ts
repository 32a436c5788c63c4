import { systemClock, Upload } from '@dropleaf/uploader'
import { objectTransport } from '../../../domains/bundles/bundle-transports.ts'
import { isPassing } from '../../../domains/transfers/uploads/upload-calls.ts'
import { uploadLanes } from '../../../domains/transfers/uploads/upload-lanes.ts'
import { statusOf } from '../../../domains/transfers/uploads/upload-status.ts'
import {
  blobSource,
  type UploadBatch,
  type UploadResult,
} from '../../../domains/transfers/uploads/upload-store.ts'
import { uploads } from '../../../domains/transfers/uploads/uploads.ts'
import type { AddedUploads } from '../models/bundle-access.ts'

/** Uploads of files that the user adds to a bundle in the editor. */

/** Keys of completed uploads. They are stored here, because the user can remove an upload from the list of tasks. */
const stored = new Set<string>()
uploads.onState(({ key, batch, state }) => {
  if (batch.kind === 'bundle' && state === 'completed') stored.add(key)
})

interface NewObject {
  readonly number: number
  readonly path: string
  readonly file: File
}

/**
 * Starts to upload objects of a bundle to the default storage.
 * @returns a key for each upload
 */
export function startObjects(bundleId: string, objects: readonly NewObject[]): string[] {
  const batch: UploadBatch = {
    id: `bundle-edit-${bundleId}-${Date.now()}`,
    kind: 'bundle',
    directory: '',
    addedAtMs: Date.now(),
  }
  const added = uploads.add(
    objects.map(({ number, path, file }) => {
      const start = path.lastIndexOf('/') + 1
      const name = path.slice(start)
      const place = { configId: '', folder: '' }
      const transport = objectTransport({
        bundleId,
        n: number,
        filename: name,
        sizeBytes: file.size,
        place,
        isNewNumber: true,
      })
      return {
        batch,
        name,
        folder: path.slice(0, start),
        file,
        upload: new Upload<Blob, UploadResult>({
          transport,
          clock: systemClock,
          lanes: uploadLanes,
          source: blobSource(file),
        }),
        canContinue: transport.look !== undefined,
        isPassing: ({ error }: { error: unknown }) => isPassing(error),
      }
    }),
  )
  return added.map(({ key }) => key)
}

const isStored = (key: string): boolean => stored.has(key)

function isHalted(key: string): boolean {
  const entry = uploads.get(key)
  if (isStored(key)) return false
  return !entry || ['failed', 'cancelled', 'needsFile', 'paused'].includes(statusOf(entry))
}

/**
 * Waits for uploads.
 * @returns `true` when all files are stored, `false` as soon as one upload fails, is cancelled or waits for the user
 */
export function whenStored(keys: readonly string[]): Promise<boolean> {
  return new Promise((resolve) => {
    let stop = () => undefined as void
    const look = () => {
      const isOver = keys.every(isStored)
      if (!isOver && !keys.some(isHalted)) return
      stop()
      resolve(isOver)
    }
    stop = uploads.subscribe(look)
    look()
  })
}

/** Cancels unfinished uploads. The server deletes the bytes that have arrived, because no revision uses them. */
export function dropObjects(keys: readonly string[]): void {
  const open = keys.filter((key) => !isStored(key))
  uploads.cancel(open)
  uploads.forget(open)
}

export const openUploads: AddedUploads = {
  entryOf: (key) => uploads.get(key),
  isStored,
  isHalted,
  retry: (key) => uploads.retry([key]),
  drop: dropObjects,
}
