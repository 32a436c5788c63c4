import type { Bytes, SealedSource } from '@dropleaf/seal'
import { hrefOf } from '../../../lib/browser/base-path.ts'
import { sendToWorker } from '../../offline/worker-messages.ts'
import { randomId } from '../../../lib/random-id.ts'
import {
  VIRTUAL_DOWNLOAD,
  type PingAnswer,
  VIRTUAL_MEDIA,
  type VirtualAnswer,
  type VirtualFacts,
  type VirtualOrder,
  type VirtualQuestion,
} from './virtual-messages.ts'

export interface VirtualFile {
  readonly url: string
  /** Whether the service worker is forwarding this download; also true if the worker does not respond in time. */
  readonly isRunning: () => Promise<boolean>
  /** Removes the file. Requests to its URL then fail. */
  readonly close: () => void
}

interface Entry {
  readonly facts: VirtualFacts
  readonly read: (offset: number, signal: AbortSignal) => AsyncIterator<Bytes>
  readonly onCancel?: () => void
}

/** The files of this page, by the random ID in their URL. */
const files = new Map<string, Entry>()
let isListening = false

/** Sends the bytes of a file. Each pull sends one piece. */
function serve({ read, onCancel }: Entry, offset: number, port: MessagePort): void {
  const left = new AbortController()
  const pieces = read(offset, left.signal)
  const send = (answer: VirtualAnswer, transfer: Transferable[] = []) => port.postMessage(answer, transfer)
  const pull = async () => {
    try {
      const { done, value } = await pieces.next()
      if (done) {
        send({ end: true })
        port.close()
        return
      }
      const piece = value.slice()
      send({ piece }, [piece.buffer])
    } catch {
      // The reader in the page reports the error. The worker only has to end the response.
      send({ failure: true })
      port.close()
    }
  }
  port.addEventListener('message', ({ data }: MessageEvent<VirtualOrder>) => {
    if (data === 'pull') {
      void pull()
      return
    }
    left.abort()
    void pieces.return?.(undefined)
    port.close()
    onCancel?.()
  })
  port.start()
}

function listen(): void {
  if (isListening) return
  isListening = true
  navigator.serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<VirtualQuestion>) => {
    const [port] = ports
    if (data?.type !== 'virtual-file' || !port) return
    const entry = files.get(data.id)
    if (data.offset === null || !entry)
      port.postMessage({ facts: entry?.facts ?? null } satisfies VirtualAnswer)
    else serve(entry, data.offset, port)
  })
  navigator.serviceWorker.startMessages()
}

const ANSWER_MS = 2000
const CONTROL_MS = 5000

/**
 * Waits for the service worker. On a first visit, it takes control of the page only a moment after it is registered,
 * and it is registered only after the page is loaded.
 * @param registeringMs how long to wait if it is not registered yet
 */
async function controller(registeringMs: number): Promise<ServiceWorker | null> {
  const container = navigator.serviceWorker as ServiceWorkerContainer | undefined
  if (!container) return null
  if (container.controller) return container.controller
  const isRegistered = (await container.getRegistration().catch(() => undefined)) !== undefined
  await new Promise<void>((resolve) => {
    container.addEventListener('controllerchange', () => resolve(), { once: true })
    setTimeout(resolve, isRegistered ? Math.max(CONTROL_MS, registeringMs) : registeringMs)
  })
  return container.controller
}

/**
 * Returns the ids of the downloads that the service worker is forwarding. Returns `null` if the worker does not serve
 * virtual URLs, for example because it is an older version.
 */
async function findRunning(registeringMs = 0): Promise<PingAnswer | null> {
  const worker = await controller(registeringMs)
  if (!worker) return null
  const { port1, port2 } = new MessageChannel()
  const answered = new Promise<PingAnswer | null>((resolve) => {
    port1.addEventListener('message', ({ data }: MessageEvent<PingAnswer>) =>
      resolve(Array.isArray(data) ? data : null),
    )
    port1.start()
    setTimeout(() => resolve(null), ANSWER_MS)
  })
  sendToWorker(worker, { type: 'virtual-ping' }, [port2])
  return answered
}

/** @param registeringMs how long to wait on a first visit, while the service worker is not registered yet */
export const hasVirtualFiles = async (registeringMs = 0): Promise<boolean> =>
  (await findRunning(registeringMs)) !== null

function add(folder: string, entry: Entry): VirtualFile {
  listen()
  const id = randomId()
  files.set(id, entry)
  return {
    url: hrefOf(`${folder}${id}`),
    // A worker that does not respond in time may only be busy.
    isRunning: async () => (await findRunning())?.includes(id) ?? true,
    close: () => void files.delete(id),
  }
}

/**
 * Pieces of a recording start small, so that a jump fetches little. They grow, so that playing needs few requests.
 */
const FIRST_PIECE_BYTES = 262_144
const LARGEST_PIECE_BYTES = 1_048_576

async function* growingPieces(
  source: SealedSource,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<Bytes> {
  let length = FIRST_PIECE_BYTES
  for (let at = offset; at < source.size; at += length, length = Math.min(length * 2, LARGEST_PIECE_BYTES)) {
    length = Math.min(length, source.size - at)
    yield await source.read(at, length, signal)
  }
}

/**
 * Creates a URL for a recording that supports range requests. Returns `null` without a service worker that serves
 * virtual URLs.
 */
export async function openVirtual({
  type,
  source,
}: {
  readonly type: string
  readonly source: SealedSource
}): Promise<VirtualFile | null> {
  if (!(await hasVirtualFiles())) return null
  const facts = { sizeBytes: source.size, type, name: null }
  return add(VIRTUAL_MEDIA, { facts, read: (offset, signal) => growingPieces(source, offset, signal) })
}

/** Creates a URL for a download. The bytes are decrypted while the browser saves them. */
export const openDownloadFile = (entry: Entry): VirtualFile => add(VIRTUAL_DOWNLOAD, entry)
