import { requestErrors } from '@dropleaf/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Readable } from 'node:stream'
import { AppError } from '../../lib/app-error.ts'
import { createJsonGauge } from '../../lib/bodies/json-gauge.ts'
import type { RefusalCode } from '../../messages/index.ts'

/**
 * Maximum size of a body on routes without a credential. The longest password and a name fit, even if each character is
 * escaped as `\uXXXX`.
 */
export const OPEN_BODY_LIMIT_BYTES = 16 * 1024
/** Maximum size of a body on routes that check a credential before reading the body. */
export const GUARDED_BODY_LIMIT_BYTES = 1024 * 1024

/**
 * Maximum number of form fields. No route accepts that many. The number is limited, because parsing a field takes far
 * longer than its few bytes suggest.
 */
const FORM_FIELDS_MAX = 1000

type Look = (chunk: Buffer) => void

const refusal = (code: RefusalCode): Error => Object.assign(new Error(code), { code, statusCode: 400 })

/**
 * Reads a body as text, and stops reading once the body is refused.
 * @param look checks each chunk, and throws to refuse the body
 * @throws {AppError} `request.too_large`
 * @throws {Error} the error of `look`; an error with a 4xx status for an interrupted body or a wrong `Content-Length`
 */
function readText(request: FastifyRequest, payload: Readable, look?: Look): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const limit = request.routeOptions.bodyLimit
  const announced = Number(request.headers['content-length'])
  const chunks: Buffer[] = []
  let receivedBytes = 0
  const tooLarge = () => reject(new AppError(requestErrors.too_large))
  const stop = () => payload.off('data', onData).off('end', onEnd).off('error', onError)
  function onData(chunk: Buffer): void {
    receivedBytes += chunk.length
    try {
      if (receivedBytes > limit) throw new AppError(requestErrors.too_large)
      look?.(chunk)
      chunks.push(chunk)
    } catch (error) {
      stop()
      reject(error)
    }
  }
  function onEnd(): void {
    stop()
    if (!Number.isNaN(announced) && receivedBytes !== announced)
      reject(refusal('FST_ERR_CTP_INVALID_CONTENT_LENGTH'))
    else resolve((chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)).toString('utf8'))
  }
  function onError(error: Error & { statusCode?: number }): void {
    stop()
    reject(
      (error.statusCode ?? 0) >= 400 || error instanceof AppError
        ? error
        : Object.assign(error, { statusCode: 400 }),
    )
  }
  if (announced > limit) tooLarge()
  else payload.on('data', onData).on('end', onEnd).on('error', onError)
  return promise
}

/**
 * Parses bodies. An empty body counts as no body, whatever its type, because older clients send the JSON type with
 * every request. Only JSON and form text are accepted; routes for raw bytes replace these parsers. A body that would
 * cost far more to parse than its size suggests is refused while it arrives.
 */
export function installBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const valueOf = (request: FastifyRequest, text: string) =>
    new Promise<unknown>((resolve, reject) => {
      void parseJson(request, text, (error, value) => (error ? reject(error) : resolve(value)))
    })
  app.addContentTypeParser(
    /^application\/(?:[\w.-]+\+)?json\b/,
    async (request: FastifyRequest, payload: unknown) => {
      const gauge = createJsonGauge()
      const text = await readText(request, payload as Readable, (chunk) => {
        const excess = gauge(chunk)
        if (excess !== null) throw refusal(excess === 'depth' ? 'JSON_TOO_DEEP' : 'JSON_TOO_MANY_VALUES')
      })
      return text === '' ? undefined : valueOf(request, text)
    },
  )
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (request: FastifyRequest, payload: unknown) => {
      let fields = 1
      const text = await readText(request, payload as Readable, (chunk) => {
        for (let at = chunk.indexOf('&'); at >= 0; at = chunk.indexOf('&', at + 1)) fields += 1
        if (fields > FORM_FIELDS_MAX) throw refusal('FORM_TOO_MANY_FIELDS')
      })
      return text === '' ? undefined : Object.fromEntries(new URLSearchParams(text))
    },
  )
}
