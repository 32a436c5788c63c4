import type { SealedSource } from '@dropleaf/seal'
import { OpenerError } from './opening.ts'

/** Maximum size of a file that is collected in memory. Larger files do not fit in the memory of a tab. */
const MEMORY_MAX_BYTES = 1.5 * 1024 ** 3
/**
 * Size of the pieces that become blobs, which browsers can move to the disk. Larger files are saved with a file dialog
 * if the browser has one.
 */
const BLOB_BYTES = 32 * 1024 ** 2

interface Writable {
  write(bytes: Uint8Array): Promise<void>
  close(): Promise<void>
  abort(): Promise<void>
}

interface Picker {
  showSaveFilePicker?: (options: {
    suggestedName: string
  }) => Promise<{ createWritable(): Promise<Writable> }>
}

export type ShowProgress = (doneBytes: number) => void

/** Returns the last segment of a path as a file name without characters that an operating system forbids. */
const fileNameOf = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replaceAll(/[<>:"|?*\\\p{Cc}\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/gu, '_')
    .replace(/[. ]+$/, '_')

/** Decrypts an item into a file. The file stays unchanged until every byte is verified. */
async function saveStreaming(source: SealedSource, file: Writable, onProgress: ShowProgress): Promise<void> {
  try {
    let doneBytes = 0
    for await (const bytes of source.stream()) {
      await file.write(bytes)
      doneBytes += bytes.length
      onProgress(doneBytes)
    }
  } catch (error) {
    await file.abort()
    throw error
  }
  await file.close()
}

async function collect(source: SealedSource, onProgress: ShowProgress): Promise<Blob> {
  if (source.size > MEMORY_MAX_BYTES) throw new OpenerError('tooLarge')
  const blobs: Blob[] = []
  let pieces: Uint8Array<ArrayBuffer>[] = []
  let piecesBytes = 0
  let doneBytes = 0
  const join = () => {
    blobs.push(new Blob(pieces))
    pieces = []
    piecesBytes = 0
  }
  for await (const bytes of source.stream()) {
    pieces.push(bytes)
    piecesBytes += bytes.length
    doneBytes += bytes.length
    if (piecesBytes >= BLOB_BYTES) join()
    onProgress(doneBytes)
  }
  join()
  return new Blob(blobs, { type: 'application/octet-stream' })
}

/** Chromium silently drops the eleventh download within a second. */
const BETWEEN_DOWNLOADS_MS = 150
let nextDownloadAtMs = 0

async function download(blob: Blob, name: string): Promise<void> {
  const nowMs = performance.now()
  const waitMs = Math.max(0, nextDownloadAtMs - nowMs)
  nextDownloadAtMs = nowMs + waitMs + BETWEEN_DOWNLOADS_MS
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Does not revoke the URL. The browser needs the blob until the download ends, and the page cannot observe that
  // end.
}

export const saveText = (text: string, name: string): Promise<void> =>
  download(new Blob([text], { type: 'text/plain;charset=utf-8' }), fileNameOf(name))

/** Saves a whole file. After an error, saves nothing. @returns `false` if the user has cancelled the file dialog */
export async function saveItem(
  source: SealedSource,
  { path, onProgress }: { readonly path: string; readonly onProgress: ShowProgress },
): Promise<boolean> {
  const { showSaveFilePicker } = globalThis as Picker
  const name = fileNameOf(path)
  if (showSaveFilePicker && source.size > BLOB_BYTES) {
    try {
      const handle = await showSaveFilePicker({ suggestedName: name })
      await saveStreaming(source, await handle.createWritable(), onProgress)
      return true
    } catch (error) {
      if (error instanceof DOMException && error.name === 'AbortError') return false
      throw error
    }
  }
  await download(await collect(source, onProgress), name)
  return true
}
