/** Where the bytes of an archive go as they come. */
export interface PackTarget {
  /** Writes one piece; resolves when more may come. */
  write: (chunk: Uint8Array<ArrayBuffer>) => Promise<void>
  /** Makes the file complete. */
  finish: () => Promise<void>
  /** Leaves nothing behind. */
  discard: () => Promise<void>
}

interface SavePicker {
  showSaveFilePicker?: (o: {
    suggestedName: string
    types: Array<{ description: string; accept: Record<string, string[]> }>
  }) => Promise<FileSystemFileHandle>
}

/** Whether the browser lets a page write to a file of the person's choice, so that nothing gathers in memory. */
export const canWriteFiles = (): boolean =>
  typeof (window as unknown as SavePicker).showSaveFilePicker === 'function'

/** Asks for a file. Called within a click. @returns `null` when the person changed their mind */
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

/** Gathers everything in memory and saves it at the end, where there is no other way. */
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
