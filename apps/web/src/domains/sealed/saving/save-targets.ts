import type { Bytes } from '@dropleaf/seal'

/** Where decrypted bytes go. Nothing that looks like the file exists before `finish`. */
export interface SaveTarget {
  /** Bytes that are there already, from an interrupted attempt. */
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

/** Browsers refuse some names in their file dialog, such as those that start with a dot. */
const toSuggestion = (name: string) => name.replaceAll(/[<>:"/\\|?*]/g, '_').replace(/^\.+/, '_')

/**
 * Asks for a file. Must be called in a click handler.
 * @returns `null` if the reader cancels
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

/** The browser writes to a hidden file beside the chosen one, and replaces that when the file is closed. */
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

/** The file dialog has already made an empty file of a new name. */
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
