import { registerRoute } from 'workbox-routing'
import {
  VIRTUAL_DOWNLOAD,
  VIRTUAL_MEDIA,
  type VirtualAnswer,
  type VirtualFacts,
  type VirtualOrder,
  type VirtualQuestion,
} from '../domains/sealed/media/virtual-messages.ts'
import { pathInApp, worker } from './scope.ts'
import { contentRange, headersOf, parseRange } from './virtual-ranges.ts'

/**
 * Serves encrypted files at virtual URLs. A page decrypts the bytes and sends them to this worker, which has no keys. A
 * request for a virtual URL never reaches the network.
 */

/** Time limit for the response of a page. */
const ANSWER_MS = 5000

/**
 * Ids of the running downloads. Pages request this list, because browsers can stop a worker with its downloads at any
 * time.
 */
export const runningDownloads = new Set<string>()

const idIn = (path: string, folder: string): string | null =>
  path.startsWith(folder) ? path.slice(folder.length) : null

function ask(client: Client, question: Omit<VirtualQuestion, 'type'>): MessagePort {
  const { port1, port2 } = new MessageChannel()
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- all pages have the same origin as this worker
  client.postMessage({ type: 'virtual-file', ...question } satisfies VirtualQuestion, [port2])
  return port1
}

/** Requests the facts about a file from a page. Returns `null` if the page has no such file or does not respond. */
function askFacts(client: Client, id: string): Promise<VirtualFacts | null> {
  const port = ask(client, { id, offset: null })
  return new Promise((resolve) => {
    port.addEventListener('message', ({ data }: MessageEvent<VirtualAnswer>) => {
      resolve('facts' in data ? data.facts : null)
      port.close()
    })
    port.start()
    setTimeout(() => resolve(null), ANSWER_MS)
  })
}

/** Streams bytes from a page, at most `length` of them. */
function bytesFrom(
  client: Client,
  { id, offset, length }: { readonly id: string; readonly offset: number; readonly length: number },
  onEnd: () => void = () => undefined,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const port = ask(client, { id, offset })
  const order = (order: VirtualOrder) => port.postMessage(order)
  let left = length
  let onAnswer: (answer: VirtualAnswer) => void = () => undefined
  port.addEventListener('message', ({ data }: MessageEvent<VirtualAnswer>) => onAnswer(data))
  port.start()
  return new ReadableStream(
    {
      async pull(controller) {
        const answered = new Promise<VirtualAnswer>((resolve) => {
          onAnswer = resolve
        })
        order('pull')
        const answer = await answered
        if ('piece' in answer) {
          controller.enqueue(answer.piece.subarray(0, left))
          left -= Math.min(left, answer.piece.length)
          if (left > 0) return
          // A response to a range request ends after its last byte. A response with the whole file ends when the page
          // reports the end.
          if (length !== Infinity) {
            order('cancel')
            controller.close()
          }
          return
        }
        onEnd()
        if ('end' in answer) controller.close()
        // Reports an error, because the browser must not treat a truncated file as complete.
        else controller.error(new Error('The page could not decrypt the file.'))
      },
      cancel() {
        onEnd()
        order('cancel')
      },
    },
    { highWaterMark: 0 },
  )
}

const missing = () => new Response(null, { status: 404 })

async function answerMedia(id: string, event: FetchEvent): Promise<Response> {
  const client = await worker.clients.get(event.clientId)
  const facts = client && (await askFacts(client, id))
  if (!client || !facts || facts.sizeBytes === null) return missing()
  const range = parseRange(event.request.headers.get('Range'), facts.sizeBytes)
  if (range === 'unsatisfiable')
    return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${facts.sizeBytes}` } })
  const { first, end } = range ?? { first: 0, end: facts.sizeBytes }
  const body = end === first ? null : bytesFrom(client, { id, offset: first, length: end - first })
  return new Response(body, {
    status: range ? 206 : 200,
    headers: {
      ...headersOf(facts),
      'Content-Length': String(end - first),
      'Accept-Ranges': 'bytes',
      ...(range && { 'Content-Range': contentRange(range, facts.sizeBytes) }),
    },
  })
}

async function answerDownload(id: string): Promise<Response> {
  // The request of a download belongs to a new frame, not to the page that started it.
  const clients = await worker.clients.matchAll({ type: 'window' })
  // A frozen tab responds late or never, so the first tab that responds is used.
  const answers = clients.map(async (client) => {
    const facts = await askFacts(client, id)
    if (!facts) throw new Error('This page has another file.')
    return { client, facts }
  })
  const owner = await Promise.any(answers).catch(() => null)
  if (!owner) return missing()
  const { client, facts } = owner
  runningDownloads.add(id)
  const body = bytesFrom(client, { id, offset: 0, length: Infinity }, () => runningDownloads.delete(id))
  return new Response(body, {
    headers: {
      ...headersOf(facts),
      ...(facts.sizeBytes !== null && { 'Content-Length': String(facts.sizeBytes) }),
    },
  })
}

export function answerVirtualFiles(): void {
  registerRoute(
    ({ url }) => idIn(pathInApp(url) ?? '', VIRTUAL_MEDIA) !== null,
    ({ event, url }) => answerMedia(idIn(pathInApp(url) ?? '', VIRTUAL_MEDIA) ?? '', event as FetchEvent),
  )
  registerRoute(
    ({ url }) => idIn(pathInApp(url) ?? '', VIRTUAL_DOWNLOAD) !== null,
    ({ url }) => answerDownload(idIn(pathInApp(url) ?? '', VIRTUAL_DOWNLOAD) ?? ''),
  )
}
