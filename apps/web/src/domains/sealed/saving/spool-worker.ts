import { release } from '../../../lib/release.ts'
import {
  flushedName,
  SPOOL_FOLDER,
  type SpoolAnswer,
  type SpoolFailure,
  type SpoolOpen,
  type SpoolRequest,
} from './spool-messages.ts'

/**
 * The private file that this worker writes. Only a worker can write such a file without copying it for each change.
 */
let file: FileSystemSyncAccessHandle | null = null
/**
 * The file that contains the number of flushed bytes. After a power failure, a file can have its full length without
 * its bytes, so only flushed bytes are retained.
 */
let note: FileSystemSyncAccessHandle | null = null
let sizeBytes = 0
let flushedBytes = 0

const FLUSH_EVERY_BYTES = 32 * 1024 * 1024
const NOTE_BYTES = 8

function flush(): void {
  if (!file || !note || flushedBytes === sizeBytes) return
  file.flush()
  const view = new DataView(new ArrayBuffer(NOTE_BYTES))
  view.setFloat64(0, sizeBytes)
  note.write(view, { at: 0 })
  note.flush()
  flushedBytes = sizeBytes
}

function readNote(handle: FileSystemSyncAccessHandle): number {
  const view = new DataView(new ArrayBuffer(NOTE_BYTES))
  return handle.read(view, { at: 0 }) === NOTE_BYTES ? view.getFloat64(0) : 0
}

/**
 * Returns the number of bytes to retain. A complete file is retained as a whole, because the browser may still be
 * copying it for an earlier click.
 */
function keptBytes({ wholeBytes, keepsUnitBytes }: SpoolOpen, certainBytes: number): number {
  if (keepsUnitBytes === 0) return 0
  if (certainBytes === wholeBytes) return wholeBytes
  return Math.floor(certainBytes / keepsUnitBytes) * keepsUnitBytes
}

async function open(request: SpoolOpen): Promise<void> {
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(SPOOL_FOLDER, { create: true })
  const openFile = async (name: string) =>
    (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle()
  file = await openFile(request.open)
  note = await openFile(flushedName(request.open))
  sizeBytes = keptBytes(request, Math.min(file.getSize(), readNote(note)))
  flushedBytes = sizeBytes
  if (file.getSize() !== sizeBytes) file.truncate(sizeBytes)
}

function write(piece: Uint8Array<ArrayBuffer>): boolean {
  const written = file?.write(piece, { at: sizeBytes }) ?? 0
  if (written !== piece.length) return false
  sizeBytes += written
  if (sizeBytes - flushedBytes >= FLUSH_EVERY_BYTES) flush()
  return true
}

function close(): void {
  flush()
  file?.close()
  note?.close()
}

const FAILURES: Readonly<Record<string, SpoolFailure>> = {
  QuotaExceededError: 'full',
  NoModificationAllowedError: 'in_use',
}

async function answer(data: SpoolRequest): Promise<SpoolAnswer> {
  try {
    if ('open' in data) await open(data)
    else if ('write' in data) {
      const isWritten = write(data.write)
      release(data.write)
      if (!isWritten) return { failure: 'full' }
    } else close()
    return { sizeBytes }
  } catch (error) {
    return { failure: (error instanceof DOMException && FAILURES[error.name]) || 'unknown' }
  }
}

addEventListener('message', ({ data }: MessageEvent<SpoolRequest>) => {
  void answer(data).then((reply) => postMessage(reply))
})
