import { systemClock, Upload } from '@dropleaf/uploader'
import { persistUpload } from './persist-upload.ts'
import type { SavedRecord } from './saved-uploads.ts'
import { isInParts, shareTransport, type UploadOptions } from './share-transports.ts'
import { isPassing } from './upload-calls.ts'
import { uploadLanes } from './upload-lanes.ts'
import {
  blobSource,
  type NewUpload,
  type UploadBatch,
  type UploadEntry,
  type UploadResult,
} from './upload-store.ts'
import { uploads } from './uploads.ts'

export interface ShareFile {
  readonly file: File
  readonly handle: FileSystemFileHandle | null
  /** Position in the batch, starting at 1, or `null` for a single file. */
  readonly number: number | null
  /** Key of the list entry that this upload replaces. */
  readonly key?: string
}

/** Returns the slug of one file. In a batch, the position is appended. */
export const slugOf = (base: string, number: number | null): string =>
  base === '' || number === null ? base : `${base}-${number}`

let lastBatch = 0
function newBatch(page: UploadBatch['page']): UploadBatch {
  lastBatch += 1
  return {
    id: `share-${lastBatch}`,
    kind: 'share',
    directory: '',
    addedAtMs: Date.now(),
    ...(page && { page }),
  }
}

/** Files of this tab by list entry. They are retained for another attempt. */
const files = new Map<string, ShareFile>()

const mayPass = ({ canContinue, error }: UploadEntry) => canContinue && isPassing(error)

function newUpload(
  batch: UploadBatch,
  { file, handle, number, key }: ShareFile,
  options: UploadOptions,
): NewUpload {
  const { name, size: sizeBytes, type: mimetype, lastModified: lastModifiedMs } = file
  const { configId } = options
  const target = {
    name,
    sizeBytes,
    mimetype,
    configId,
    options: { ...options, slug: slugOf(options.slug, number) },
  }
  const upload = new Upload<Blob, UploadResult>({
    transport: shareTransport(target),
    clock: systemClock,
    lanes: uploadLanes,
    source: blobSource(file),
  })
  const canContinue = isInParts(sizeBytes)
  const kept = handle && { handle }
  const facts = {
    kind: 'share',
    configId,
    directory: '',
    name,
    fileName: name,
    sizeBytes,
    lastModifiedMs,
  } as const
  const letGo = canContinue && batch.page !== 'url' && persistUpload(upload, { ...facts, ...kept })
  return {
    batch,
    name,
    file: { name, size: sizeBytes, lastModified: lastModifiedMs },
    upload,
    canContinue,
    isPassing: mayPass,
    ...(key !== undefined && { key }),
    ...kept,
    ...(letGo && { letGo }),
  }
}

/**
 * Uploads files as shares with the same options.
 * @param page the page that adds the files; absent for the upload page
 */
export function addShares(
  list: readonly ShareFile[],
  options: UploadOptions,
  page?: UploadBatch['page'],
): readonly UploadEntry[] {
  const batch = newBatch(page)
  const entries = uploads.add(list.map((one) => newUpload(batch, one, options)))
  for (const key of files.keys()) if (!uploads.get(key)) files.delete(key)
  entries.forEach(({ key }, index) => {
    const one = list[index]
    if (one) files.set(key, one)
  })
  return entries
}

/** Whether a failed or cancelled upload can restart from the beginning, with the current options. */
export const canStartAgain = ({ key, id, state }: UploadEntry): boolean =>
  files.has(key) && (state === 'aborted' || (state === 'failed' && id === null))

/** Position of an upload in its batch, starting at 1, or 0 for a single file. */
export const numberOf = ({ key }: UploadEntry): number => files.get(key)?.number ?? 0

/** Restarts the uploads for which {@link canStartAgain} is true. They keep their positions in the list. */
export function startSharesAgain(
  entries: readonly UploadEntry[],
  options: UploadOptions,
): readonly UploadEntry[] {
  const again = entries.filter(canStartAgain).flatMap(({ key }) => {
    const file = files.get(key)
    return file ? [{ ...file, key }] : []
  })
  return addShares(again, options, entries[0]?.batch.page)
}

const restored = (batch: UploadBatch, record: SavedRecord): NewUpload => {
  const { name, sizeBytes, lastModifiedMs, handle, configId = '' } = record
  const upload = new Upload<Blob, UploadResult>({
    transport: shareTransport({ name, sizeBytes, mimetype: '', configId, options: null }),
    clock: systemClock,
    lanes: uploadLanes,
    source: null,
    saved: record,
  })
  const { id: _id, owner: _owner, sentBytes: _sent, savedAtMs: _savedAt, ...facts } = record
  return {
    batch,
    name,
    file: { name, size: sizeBytes, lastModified: lastModifiedMs },
    upload,
    canContinue: true,
    isPassing: mayPass,
    letGo: persistUpload(upload, facts, { isRestored: true }),
    ...(handle && { handle }),
  }
}

/**
 * Adds shares whose upload was interrupted by a reload or crash. They wait until the user chooses their files again.
 */
export function restoreShares(records: readonly SavedRecord[]): void {
  if (records.length === 0) return
  const batch = newBatch(undefined)
  uploads.add(records.map((record) => restored(batch, record)))
}

/** Whether an upload is completed, cancelled, or failed without an automatic retry. */
export const isSettled = ({ state, retryAtMs, isWaiting }: UploadEntry): boolean =>
  !isWaiting && (state === 'completed' || state === 'aborted' || (state === 'failed' && retryAtMs === null))

/** Waits until all of these uploads are settled or removed. @returns the number of completed uploads */
export function whenSettled(keys: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      const entries = keys.map((key) => uploads.get(key)).filter((entry) => entry !== undefined)
      if (!entries.every(isSettled)) return
      stop()
      resolve(entries.filter(({ state }) => state === 'completed').length)
    }
    const stop = uploads.subscribe(look)
    look()
  })
}
