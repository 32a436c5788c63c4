import type { Bytes } from '@dropleaf/seal'

/** Destination of decrypted bytes. The saved file contains no bytes before `finish`. */
export interface SaveTarget {
  /** Number of bytes that an interrupted attempt has already stored. */
  readonly startBytes: number
  /** Resolves when the next piece can be written. */
  readonly write: (piece: Bytes) => Promise<void>
  readonly finish: () => Promise<void>
  readonly discard: () => Promise<void>
}

interface SavePicker {
  showSaveFilePicker?: (options: { suggestedName: string }) => Promise<FileSystemFileHandle>
}

export const hasFilePicker = (): boolean =>
  typeof (window as unknown as SavePicker).showSaveFilePicker === 'function'

/**
 * Replaces characters that browsers reject in suggested file names. Browsers also reject names that start with a dot.
 */
const toSuggestion = (name: string) => name.replaceAll(/[<>:"/\\|?*]/g, '_').replace(/^\.+/, '_')

/**
 * Asks for a file. Must be called in a click handler.
 * @returns `null` if the reader cancels, or if the browser has no file picker
 */
export async function pickSaveFile(name: string): Promise<FileSystemFileHandle | null> {
  try {
    const picker = window as unknown as SavePicker
    return (await picker.showSaveFilePicker?.({ suggestedName: toSuggestion(name) })) ?? null
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
}

/** Writes to a file. The browser writes to a hidden file first, and replaces the chosen file with it at the end. */
export async function fileTarget(handle: FileSystemFileHandle): Promise<SaveTarget> {
  const stream = await handle.createWritable()
  return {
    startBytes: 0,
    write: (piece) => stream.write(piece),
    finish: () => stream.close(),
    async discard() {
      await stream.abort().catch(() => undefined)
      await removeEmpty(handle).catch(() => undefined)
    },
  }
}

/** Removes the empty file that the file dialog has created under a new name. */
async function removeEmpty(handle: FileSystemFileHandle & { remove?: () => Promise<void> }): Promise<void> {
  const { size } = await handle.getFile()
  if (size === 0) await handle.remove?.()
}

const REVOKE_MS = 60_000

/** Passes a blob to the download list. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
}

export function memoryTarget(name: string): SaveTarget {
  let pieces: Bytes[] = []
  return {
    startBytes: 0,
    async write(piece) {
      pieces.push(piece)
    },
    async finish() {
      saveBlob(new Blob(pieces, { type: 'application/octet-stream' }), name)
      pieces = []
    },
    async discard() {
      pieces = []
    },
  }
}
