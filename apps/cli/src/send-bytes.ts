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
  /** `null` when nobody knows before the end. */
  readonly sizeBytes: number | null
  readonly signal?: AbortSignal
  readonly onProgress?: (sentBytes: number) => void
  /** How long the line may be silent, while bytes go and while the answer is waited for. */
  readonly silenceMs?: number
}

export interface SendAnswer {
  /** Entity tag without quotes, or `null` where there is none. */
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
  /** Whether nothing moves since nothing is there to. */
  readonly isAtRest: () => boolean
  readonly onSilence: (silenceMs: number) => void
}

/** Not the timeout of a socket, which takes up to twice as long where bytes are on their way. */
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
    /** From now on it may be silent for so long. */
    allow(ms: number) {
      limitMs = ms
      clearTimeout(timer)
      timer = setTimeout(look, limitMs)
    },
  }
}

/**
 * Sends a body as it comes, without gathering it.
 * @throws {CliError} for everything but a success; what a body fails with when that is one
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
      // Whoever brings the body may rest, as a pipe does; the line has done what it had to.
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
        // What is left of the body is of no use to anybody.
        body.destroy()
      })
    })
    const failUnanswered = (error: unknown) => {
      if (!isAnswered) fail(body.errored ?? error)
    }
    // The pipeline listens until the body has been handed over; a line that breaks while the answer is waited for tells only here.
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
      // Megabytes may lie in the system and in what is between, and go unseen: a kilobyte a second is the slowest line.
      line.allow(Math.max(silenceMs, Math.min(silenceMs + handedBytes, WORK_SILENCE_MS)))
    })
    pipeline(body, passing, request).catch(failUnanswered)
  })
}
