import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { Readable } from 'node:stream'
import type { NodeHttpHandler } from '@smithy/node-http-handler'
import type { Receiver } from './receiver.ts'

/**
 * Maximum number of connections of one driver for downloads, and of those for all other calls. Further calls wait; a
 * call other than a download fails if it waits longer than `CONNECT_TIMEOUT_MS`.
 */
const SOCKETS_MAX = 256
const CONNECT_TIMEOUT_MS = 10_000

/** Timeout for calls during which the storage joins parts or copies gigabytes, because it sends no data meanwhile. */
const SERVER_WORK_TIMEOUT_MS = 10 * 60_000
const SERVER_WORK = new Set(['CopyObject', 'UploadPartCopy', 'CompleteMultipartUpload'])

const SLICE_BYTES = 128 * 1024

type Request = Parameters<NodeHttpHandler['handle']>[0]
type HandlerOptions = ConstructorParameters<typeof NodeHttpHandler>[0]

/** Differences between the client of the connection test and a normal client. */
export interface ProbeTuning {
  /** Longest time without data during a call, which is not retried. */
  timeoutMs: number
  connectTimeoutMs: number
  /** Receives header names in lower case. */
  onResponse: (headers: Record<string, string>) => void
}

export interface Transport {
  requestHandler: Pick<NodeHttpHandler, 'metadata' | 'handle'> & { destroy: () => void }
  close: () => void
}

/**
 * Opens persistent connections with timeouts that fit each call. Timeouts limit the time without data, not the
 * duration, because an upload can take a long time. A download (see `Receiver`) has a timeout only for its first byte.
 * `readBody` checks the remaining bytes, because a reader can pause.
 */
export function openTransport(
  { Handler, Reading }: { Handler: typeof NodeHttpHandler; Reading: typeof Receiver },
  { timeoutMs, probe }: { timeoutMs: number; probe?: ProbeTuning | undefined },
): Transport {
  const agentOptions = { keepAlive: true, maxSockets: SOCKETS_MAX, maxFreeSockets: 32 }
  const agents = { httpAgent: new HttpAgent(agentOptions), httpsAgent: new HttpsAgent(agentOptions) }
  const open = (o: HandlerOptions) =>
    new Handler({
      ...agents,
      connectionTimeout: probe?.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      logger: silent,
      ...o,
    })
  const ordinary = open({ socketTimeout: timeoutMs })
  const patient = open({ socketTimeout: SERVER_WORK_TIMEOUT_MS })
  const connectTimeoutMs = probe?.connectTimeoutMs ?? CONNECT_TIMEOUT_MS
  const reading = new Reading({ connections: SOCKETS_MAX, connectTimeoutMs, timeoutMs })
  const handlerFor = (request: Request) => {
    const operation = operationOf(request)
    if (operation === 'GetObject') return reading
    return SERVER_WORK.has(operation) ? patient : ordinary
  }
  const close = () => {
    agents.httpAgent.destroy()
    agents.httpsAgent.destroy()
    reading.close()
  }
  return {
    requestHandler: {
      metadata: ordinary.metadata,
      async handle(request, o) {
        const answer = await handlerFor(request).handle(inSlices(request), o)
        probe?.onResponse(answer.response.headers)
        return answer
      },
      destroy: close,
    },
    close,
  }
}

/**
 * Splits a body into slices, because an undivided body shows no progress while it is sent over TLS. Node.js would treat
 * the connection as inactive. A retry starts again with all bytes.
 */
function inSlices(request: Request): Request {
  const { body } = request as { body?: unknown }
  if (!Buffer.isBuffer(body) || body.length <= SLICE_BYTES) return request
  return { ...request, body: Readable.from(slicesOf(body), { objectMode: false }) } as Request
}

function* slicesOf(bytes: Buffer) {
  for (let from = 0; from < bytes.length; from += SLICE_BYTES) yield bytes.subarray(from, from + SLICE_BYTES)
}

function operationOf({ method, query }: Request): string {
  const name = query['x-id']
  if (typeof name === 'string') return name
  return method === 'POST' && 'uploadId' in query ? 'CompleteMultipartUpload' : ''
}

/** Failures reach the caller as errors, while the SDK's own messages would go to the console. */
export const silent = {
  trace: () => undefined,
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
