import { SPOOL_FOLDER, type SpoolAnswer, type SpoolOpen, type SpoolRequest } from './spool-messages.ts'

/** Writes a private file, which only a worker can do without copying it for each change. */
let handle: FileSystemSyncAccessHandle | null = null
let sizeBytes = 0

async function open({ open: name, keepsUnitBytes }: SpoolOpen): Promise<void> {
  const root = await navigator.storage.getDirectory()
  const folder = await root.getDirectoryHandle(SPOOL_FOLDER, { create: true })
  const file = await folder.getFileHandle(name, { create: true })
  handle = await file.createSyncAccessHandle()
  // A crash can leave a part of the last piece.
  sizeBytes = keepsUnitBytes === 0 ? 0 : Math.floor(handle.getSize() / keepsUnitBytes) * keepsUnitBytes
  handle.truncate(sizeBytes)
}

async function obey(request: SpoolRequest): Promise<SpoolAnswer> {
  if ('open' in request) await open(request)
  else if ('write' in request) {
    const { write: piece } = request
    const written = handle?.write(piece, { at: sizeBytes }) ?? 0
    if (written !== piece.length) return { failure: 'The disk is full.' }
    sizeBytes += written
  } else {
    handle?.flush()
    handle?.close()
  }
  return { sizeBytes }
}

async function answer(request: SpoolRequest): Promise<void> {
  try {
    postMessage(await obey(request))
  } catch (error) {
    postMessage({ failure: String(error) } satisfies SpoolAnswer)
  }
}

addEventListener('message', ({ data }: MessageEvent<SpoolRequest>) => void answer(data))
