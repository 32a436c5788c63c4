import type { Bytes } from '@dropleaf/seal'
import { openDownloadFile } from '../media/virtual-files.ts'
import { IncompleteError, type SaveContents } from './pour.ts'
import { SaveError } from './save-errors.ts'

/**
 * Interval at which the page checks whether the worker is still forwarding the download. Browsers stop a service
 * worker that receives no messages for a while, and some of them report a truncated file as complete.
 */
const PING_MS = 10_000

/** Starts a download in a hidden frame, so that the page stays open. */
function startDownload(url: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.hidden = true
  frame.src = url
  document.body.append(frame)
  return frame
}

/**
 * Passes contents to the download list during decryption. Resolves when the browser has received all bytes.
 * @throws {SaveError} `ended_early`
 * @throws {IncompleteError}
 * @throws the error of the contents, or the reason of the aborted signal
 */
export async function streamDownload({
  contents,
  signal,
  onBytes,
}: {
  readonly contents: SaveContents
  readonly signal: AbortSignal
  readonly onBytes: (doneBytes: number) => void
}): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const ended = new AbortController()
  let hasStarted = false
  async function* pieces(leftSignal: AbortSignal): AsyncGenerator<Bytes> {
    hasStarted = true
    let doneBytes = 0
    try {
      for await (const piece of contents.stream(0, AbortSignal.any([signal, leftSignal, ended.signal]))) {
        yield piece
        doneBytes += piece.length
        onBytes(doneBytes)
      }
      if (contents.isSizeExact && doneBytes !== contents.sizeBytes) throw new IncompleteError()
      resolve()
    } catch (error) {
      reject(error instanceof Error ? error : new SaveError('ended_early'))
      throw error
    }
  }
  const file = openDownloadFile({
    facts: {
      sizeBytes: contents.isSizeExact ? contents.sizeBytes : null,
      type: 'application/octet-stream',
      name: contents.name,
    },
    read: (_offset, leftSignal) => pieces(leftSignal),
    onCancel: () => reject(new SaveError('ended_early')),
  })
  const check = async () => {
    const mustRun = hasStarted
    if (!(await file.isRunning()) && mustRun) reject(new SaveError('ended_early'))
  }
  const pinging = setInterval(() => void check(), PING_MS)
  const frame = startDownload(file.url)
  const onAbort = () => reject(signal.reason instanceof Error ? signal.reason : new SaveError('ended_early'))
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', onAbort)
    clearInterval(pinging)
    ended.abort()
    file.close()
    // The download continues after the frame is removed.
    setTimeout(() => frame.remove(), PING_MS)
  }
}
