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

/** A file to share. */
export interface ShareFile {
  readonly file: File
  readonly handle: FileSystemFileHandle | null
  /** Position in its batch, from 1, or `null` for a single file. */
  readonly number: number | null
  /** The entry that it replaces, with its position in the list. */
  readonly key?: string
}

/** Link suffix of one file: several files of a batch get their number. */
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

/** The files of this tab by their entry, for another attempt. */
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

/** Uploads files as shares with the same options. @param page that adds them; absent: the upload page */
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

/** Whether a failed or cancelled upload starts from zero, with other options if the user has changed them. */
export const canStartAgain = ({ key, id, state }: UploadEntry): boolean =>
  files.has(key) && (state === 'aborted' || (state === 'failed' && id === null))

/** Position of an upload in its batch, from 1; 0 for a single file. */
export const numberOf = ({ key }: UploadEntry): number => files.get(key)?.number ?? 0

/** Starts uploads again that {@link canStartAgain}, at their position in the list. */
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

/** Shares whose upload a reload or a crash interrupted: they wait for their file. */
export function restoreShares(records: readonly SavedRecord[]): void {
  if (records.length === 0) return
  const batch = newBatch(undefined)
  uploads.add(records.map((record) => restored(batch, record)))
}

/** Whether an upload has ended, for now: it is neither running nor paused, and does not retry by itself. */
export const isSettled = ({ state, retryAtMs, isWaiting }: UploadEntry): boolean =>
  !isWaiting && (state === 'completed' || state === 'aborted' || (state === 'failed' && retryAtMs === null))

/** Resolves when each of these uploads has ended or was removed. @returns how many were completed */
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
