import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { refusalOf, silent, SILENCE_MS, unreachable, WORK_SILENCE_MS } from './client.ts'

export interface SendInput {
  readonly method: string
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable
  /** `null` if the size is unknown until the end. */
  readonly sizeBytes: number | null
  readonly signal?: AbortSignal
  readonly onProgress?: (sentBytes: number) => void
  /** How long the connection can transfer nothing, both while sending and while waiting for the response. */
  readonly silenceMs?: number
}

export interface SendAnswer {
  /** Entity tag without quotes, or `null` if there is none. */
  readonly etag: string | null
  readonly text: string
}

const counting = (onProgress: (sentBytes: number) => void) => {
  let sentBytes = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sentBytes += chunk.length
      onProgress(sentBytes)
      done(null, chunk)
    },
  })
}

interface Watch {
  readonly silenceMs: number
  /** Whether the connection is idle because there is nothing to send. */
  readonly isAtRest: () => boolean
  readonly onSilence: (silenceMs: number) => void
}

/**
 * Calls `onSilence` if the connection transfers nothing for too long. The timeout of the socket can take twice as
 * long while bytes are in transit.
 */
function watchSilence({ silenceMs, isAtRest, onSilence }: Watch) {
  let limitMs = silenceMs
  const look = () => {
    if (isAtRest()) timer.refresh()
    else onSilence(limitMs)
  }
  let timer = setTimeout(look, limitMs)
  return {
    moved: () => void timer.refresh(),
    end: () => clearTimeout(timer),
    /** Sets how long the connection can transfer nothing from now on. */
    allow(ms: number) {
      limitMs = ms
      clearTimeout(timer)
      timer = setTimeout(look, limitMs)
    },
  }
}

/**
 * Streams a body without buffering it.
 * @throws {CliError} unless the request succeeds
 */
export function sendBytes(input: SendInput): Promise<SendAnswer> {
  const { method, address, headers, body, sizeBytes, signal, onProgress = () => undefined } = input
  const { silenceMs = SILENCE_MS } = input
  const start = address.startsWith('https:') ? overHttps : overHttp
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => reject(unreachable(address, error))
    const request = start(address, {
      method,
      headers: { ...headers, ...(sizeBytes !== null && { 'content-length': String(sizeBytes) }) },
      ...(signal && { signal }),
    })
    let isAnswered = false
    let isHandedOver = false
    const line = watchSilence({
      silenceMs,
      // The source of the body can pause, as a pipe does. The connection is then idle, because it has sent all bytes
      // that it received.
      isAtRest: () => !isHandedOver && !isAnswered && request.writableLength === 0,
      onSilence(limitMs) {
        fail(silent(address, limitMs))
        request.destroy()
      },
    })
    request.on('response', (answer) => {
      isAnswered = true
      line.allow(silenceMs)
      answer.setEncoding('utf8')
      let text = ''
      answer.on('data', (chunk: string) => {
        line.moved()
        text += chunk
      })
      answer.once('error', fail)
      answer.once('end', () => {
        line.end()
        const status = answer.statusCode ?? 0
        const etag = answer.headers.etag?.replace(/^W\//, '').replaceAll('"', '') ?? null
        if (status >= 200 && status < 300) resolve({ etag, text })
        else reject(refusalOf(address, { status, text }))
        // The rest of the body is no longer needed.
        body.destroy()
      })
    })
    const failUnanswered = (error: unknown) => {
      if (!isAnswered) fail(body.errored ?? error)
    }
    // The pipeline handles errors only until the body is sent. Later errors of the connection are handled here.
    request.on('error', failUnanswered)
    request.once('close', () => {
      line.end()
      failUnanswered(new Error('socket hang up'))
    })
    let handedBytes = 0
    const passing = counting((sentBytes) => {
      handedBytes = sentBytes
      line.moved()
      onProgress(sentBytes)
    })
    request.once('finish', () => {
      isHandedOver = true
      // Buffers of the system and of proxies can contain megabytes. The slowest allowed connection sends them at 1 kB
      // per second, so it needs more time.
      line.allow(Math.max(silenceMs, Math.min(silenceMs + handedBytes, WORK_SILENCE_MS)))
    })
    pipeline(body, passing, request).catch(failUnanswered)
  })
}
