/** Destination for the bytes of an archive. */
export interface PackTarget {
  /** Writes a chunk. Resolves when the next chunk can be written. */
  write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  finish: () => Promise<void>
  discard: () => Promise<void>
}

interface SavePicker {
  showSaveFilePicker?: (o: {
    suggestedName: string
    types: Array<{ description: string; accept: Record<string, string[]> }>
  }) => Promise<FileSystemFileHandle>
}

/** Whether the browser can stream to a file that the user selects. Otherwise the archive is buffered in memory. */
export const canWriteFiles = (): boolean =>
  typeof (window as unknown as SavePicker).showSaveFilePicker === 'function'

/**
 * Asks the user for a file. Must be called in a click handler.
 * @returns `null` if the user cancels, or if the browser has no file picker
 */
export async function pickFile(suggestedName: string): Promise<FileSystemFileHandle | null> {
  try {
    const picker = window as unknown as SavePicker
    const types = [{ description: 'ZIP', accept: { 'application/zip': ['.zip'] } }]
    return (await picker.showSaveFilePicker?.({ suggestedName, types })) ?? null
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    throw error
  }
}

export async function fileTarget(handle: FileSystemFileHandle): Promise<PackTarget> {
  const stream = await handle.createWritable()
  return {
    write: (chunk) => stream.write(chunk),
    finish: () => stream.close(),
    discard: () => stream.abort().catch(() => undefined),
  }
}

const REVOKE_MS = 60_000

/** Buffers the archive in memory and saves it at the end. Used if the browser cannot stream to a file. */
export function memoryTarget(name: string): PackTarget {
  let chunks: Uint8Array<ArrayBuffer>[] = []
  return {
    async write(chunk) {
      chunks.push(chunk)
    },
    async finish() {
      const url = URL.createObjectURL(new Blob(chunks, { type: 'application/zip' }))
      const link = document.createElement('a')
      link.href = url
      link.download = name
      link.click()
      setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
    },
    async discard() {
      chunks = []
    },
  }
}
