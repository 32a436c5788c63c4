// eslint-disable-next-line typescript/triple-slash-reference -- other projects that import this file see the types, too
/// <reference path="./negotiator.d.ts" />
import { promisify } from 'node:util'
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib'
import type { Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import Negotiator from 'negotiator'

export type Encoding = 'zstd' | 'br' | 'gzip' | 'identity'

/** Content codings in order of preference, by the ratio of speed to size. */
const CODINGS = ['zstd', 'br', 'gzip'] as const
const MIN_BYTES = 1024

/**
 * Compression levels for responses that are generated each time: about a tenth of the size, at a few milliseconds per
 * megabyte.
 */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 5 }
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** Returns the best coding that an `Accept-Encoding` header allows. */
export function acceptedEncoding(header: string | undefined): Encoding {
  if (header === undefined) return 'identity'
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } })
  const encoding = negotiator.encoding([...CODINGS, 'identity'], { preferred: [...CODINGS] })
  return (encoding as Encoding | undefined) ?? 'identity'
}

const streams = {
  zstd: () => createZstdCompress(ZSTD),
  br: () => createBrotliCompress(BROTLI),
  gzip: () => createGzip(GZIP),
}

/** Returns the stream that encodes text, or `null` if no encoding is needed. */
export const encoderFor = (encoding: Encoding): Transform | null =>
  encoding === 'identity' ? null : streams[encoding]()

const compress = {
  zstd: (text: string | Buffer) => promisify(zstdCompress)(text, ZSTD),
  br: (text: string | Buffer) => promisify(brotliCompress)(text, BROTLI),
  gzip: (text: string | Buffer) => promisify(gzip)(text, GZIP),
}

const isJson = (type: unknown) => /^application\/(?:[\w.-]+\+)?json\b/.test(String(type))

const isCompressible = (reply: FastifyReply, payload: unknown): payload is string | Buffer =>
  (typeof payload === 'string' || Buffer.isBuffer(payload)) &&
  isJson(reply.getHeader('content-type')) &&
  Buffer.byteLength(payload) > MIN_BYTES &&
  !reply.hasHeader('content-encoding')

/** Compresses JSON that handlers return. Streams of file contents are not compressed. */
export function installCompression(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const isLong = isCompressible(reply, payload)
    if (isLong) reply.header('vary', withAcceptEncoding(reply.getHeader('vary')))
    const encoding = isLong ? acceptedEncoding(request.headers['accept-encoding']) : 'identity'
    if (isLong && encoding !== 'identity') {
      reply.header('content-encoding', encoding).removeHeader('content-length')
      return compress[encoding](payload)
    }
    done()
    return undefined
  })
}

/** Returns the `Vary` header of a response that exists in several codings. */
export function withAcceptEncoding(vary: number | string | readonly string[] | undefined): string {
  const names = [vary ?? []].flat().join(', ')
  if (/\baccept-encoding\b/i.test(names)) return names
  return names === '' ? 'Accept-Encoding' : `${names}, Accept-Encoding`
}
