import { type Bytes, SEGMENT_BYTES } from '@dropleaf/seal'
import { SaveError } from './save-errors.ts'
import { type SaveTarget, saveBlob } from './save-targets.ts'
import {
  flushedName,
  SPOOL_FOLDER,
  type SpoolAnswer,
  type SpoolFailure,
  type SpoolRequest,
} from './spool-messages.ts'

const folderOf = async (): Promise<FileSystemDirectoryHandle> => {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(SPOOL_FOLDER, { create: true })
}

/** Returns how many bytes private files can still use; 0 if this browser has no private files. */
export async function spoolRoom(): Promise<number> {
  try {
    await folderOf()
    const { quota = 0, usage = 0 } = await navigator.storage.estimate()
    return Math.max(0, quota - usage)
  } catch {
    // Private windows and insecure pages have no private files.
    return 0
  }
}

const nameOf = (key: string, sizeBytes: number) => `${key}-${sizeBytes}`

const errorOf = (failure: SpoolFailure): Error =>
  failure === 'unknown' ? new Error('The private file cannot be written.') : new SaveError(failure)

/** Starts the worker of a file. The worker receives one request at a time. */
function startWorker() {
  const worker = new Worker(new URL('./spool-worker.ts', import.meta.url), { type: 'module', name: 'spool' })
  const ask = (request: SpoolRequest, transfer: Transferable[] = []) =>
    new Promise<number>((resolve, reject) => {
      const done = new AbortController()
      const { signal } = done
      worker.addEventListener(
        'message',
        ({ data }: MessageEvent<SpoolAnswer>) => {
          done.abort()
          if ('failure' in data) reject(errorOf(data.failure))
          else resolve(data.sizeBytes)
        },
        { signal },
      )
      worker.addEventListener(
        'error',
        () => {
          done.abort()
          reject(errorOf('unknown'))
        },
        { signal },
      )
      worker.postMessage(request, transfer)
    })
  return { ask, end: () => worker.terminate() }
}

/** Collects the bytes in a private file of the browser on the disk, then passes the file to the download list. */
export async function spoolTarget({
  name,
  key,
  sizeBytes,
  isResumable,
}: {
  readonly name: string
  /** Identifies the contents without revealing anything about them. */
  readonly key: string
  readonly sizeBytes: number
  readonly isResumable: boolean
}): Promise<SaveTarget> {
  const { ask, end } = startWorker()
  const file = nameOf(key, sizeBytes)
  const close = async () => {
    try {
      await ask({ close: true })
    } finally {
      end()
    }
  }
  const keepsUnitBytes = isResumable ? SEGMENT_BYTES : 0
  const startBytes = await ask({ open: file, wholeBytes: sizeBytes, keepsUnitBytes }).catch(
    (error: unknown) => {
      end()
      throw error
    },
  )
  return {
    startBytes,
    async write(piece: Bytes) {
      // Copies a view of a larger buffer before transferring it, because other pieces are views of the same buffer.
      const own = piece.length === piece.buffer.byteLength ? piece : piece.slice()
      await ask({ write: own }, [own.buffer])
    },
    async finish() {
      await close()
      const handle = await (await folderOf()).getFileHandle(file)
      saveBlob(await handle.getFile(), name)
    },
    async discard() {
      await close().catch(() => undefined)
      if (isResumable) return
      const folder = await folderOf()
      await folder.removeEntry(file).catch(() => undefined)
      await folder.removeEntry(flushedName(file)).catch(() => undefined)
    },
  }
}
