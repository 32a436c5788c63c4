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

/** Returns how many bytes private files may still take; 0 if this browser has none. */
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

/** Sends one request at a time to the worker of a file. */
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

/** Collects a file on the disk, where the browser keeps it private, then passes it to the download list. */
export async function spoolTarget({
  name,
  key,
  sizeBytes,
  isResumable,
}: {
  readonly name: string
  /** Names the contents, and contains nothing of them. */
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
      // Pieces can be views of a larger buffer, which must stay readable here.
      const copy = piece.slice()
      await ask({ write: copy }, [copy.buffer])
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
