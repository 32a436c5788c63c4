import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { urlErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type FetchAnswer, parseAddress } from '../../../outbound/fetcher.ts'
import { nameOfSource, plainType, typeOfSource } from './source.models.ts'

const PROBE_TIMEOUT_MS = 10_000
const MAGIC_BYTES = 4096
/** Value of the `Origin` header that is sent to check CORS. */
const ORIGIN = 'https://dropleaf.invalid'

export interface SourceInfo {
  readonly url: string
  readonly filename: string
  readonly contentType: string
  readonly sizeBytes: number | null
  readonly lastModifiedMs: number | null
  readonly method: 'ENHANCED' | 'HEAD' | 'GET'
  readonly allowsCors: boolean
  readonly isAnswered: boolean
  /** How the name and the media type were detected, in order. */
  readonly detection: readonly string[]
  /** Confidence in the detected media type, from 0 to 1. */
  readonly confidence: number
  readonly usedMagic: boolean
}

interface Probe {
  readonly how: 'HEAD' | 'GET'
  readonly url: URL
  readonly headers: IncomingHttpHeaders
  readonly sizeBytes: number | null
  /** The first bytes, if they were requested. */
  readonly start: Buffer | null
}

/** Whether an error means that the URL is forbidden. Other errors only mean that a probe failed. */
const isRefusal = (error: unknown) =>
  error instanceof AppError &&
  [urlErrors.invalid.code, urlErrors.refused.code].includes(error.spec.code as never)

function sizeIn(headers: IncomingHttpHeaders): number | null {
  const total = /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1]
  const text = total ?? (headers['content-range'] === undefined ? headers['content-length'] : undefined)
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null
}

async function startOf(body: Readable, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer)
      length += (chunk as Buffer).length
      if (length >= bytes) break
    }
  } catch {
    // Ignores the error, because the bytes received so far can be enough to detect the media type.
  }
  return Buffer.concat(chunks).subarray(0, bytes)
}

async function probe(ctx: Needs<'fetcher'>, address: string, how: Probe['how']): Promise<Probe | null> {
  try {
    const { url, status, headers, body } = await ctx.fetcher.fetch(address, {
      method: how,
      timeoutMs: PROBE_TIMEOUT_MS,
      headers: { origin: ORIGIN, ...(how === 'GET' ? { range: `bytes=0-${MAGIC_BYTES - 1}` } : {}) },
      signal: AbortSignal.timeout(2 * PROBE_TIMEOUT_MS),
    })
    const isGood = status >= 200 && status < 300
    const start = isGood && how === 'GET' ? await startOf(body, MAGIC_BYTES) : null
    body.destroy()
    return isGood ? { how, url, headers, sizeBytes: sizeIn(headers), start } : null
  } catch (error) {
    if (isRefusal(error)) throw error
    return null
  }
}

async function typeByMagic(start: Buffer | null): Promise<string | null> {
  if (start === null || start.length === 0) return null
  const { fileTypeFromBuffer } = await import('file-type')
  return (await fileTypeFromBuffer(start))?.mime ?? null
}

const instantOf = (text: string | undefined): number | null => {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? null : ms
}

/**
 * Inspects a URL with a HEAD request, and then requests the first bytes if necessary. Without a response, the result is
 * derived from the URL alone.
 * @throws {AppError} `url.invalid`, `url.refused`
 */
export async function inspectSource(ctx: Needs<'fetcher'>, address: string): Promise<SourceInfo> {
  const url = parseAddress(address)
  const head = await probe(ctx, address, 'HEAD')
  const isClear = head !== null && plainType(head.headers['content-type']) !== null && head.sizeBytes !== null
  const start = isClear ? null : await probe(ctx, address, 'GET')
  const best = start ?? head
  const magic = await typeByMagic(start?.start ?? null)
  const declared = plainType(best?.headers['content-type'])
  const type = declared ?? magic
  const filename = nameOfSource(best?.url ?? url, { disposition: best?.headers['content-disposition'], type })
  const detection = [...(declared ? ['header'] : []), ...(magic ? ['magic-bytes'] : []), 'extension']
  return {
    url: address,
    filename,
    contentType: typeOfSource(filename, type),
    sizeBytes: start?.sizeBytes ?? head?.sizeBytes ?? null,
    lastModifiedMs: instantOf(best?.headers['last-modified']),
    method: head && start ? 'ENHANCED' : (best?.how ?? 'GET'),
    allowsCors: ['*', ORIGIN].includes(best?.headers['access-control-allow-origin'] ?? ''),
    isAnswered: best !== null,
    detection,
    confidence: confidenceOf({ isAnswered: best !== null, hasType: type !== null }),
    usedMagic: magic !== null,
  }
}

function confidenceOf({ isAnswered, hasType }: { isAnswered: boolean; hasType: boolean }): number {
  if (!isAnswered) return 0.1
  return hasType ? 0.9 : 0.5
}

const DECODERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

export interface OpenSource {
  readonly answer: FetchAnswer
  /** The decoded bytes. */
  readonly body: Readable
  /** Size if known. The size is unknown if the response is encoded. */
  readonly sizeBytes: number | null
}

/** Opens a source for reading. @throws {AppError} `url.bad_source` if the status is not 2xx; as the fetcher does */
export async function openSource(
  ctx: Needs<'fetcher'>,
  address: string,
  signal?: AbortSignal,
): Promise<OpenSource> {
  const answer = await ctx.fetcher.fetch(address, { signal })
  if (answer.status < 200 || answer.status > 299) {
    answer.body.destroy()
    throw new AppError(urlErrors.bad_source, { params: { status: answer.status } })
  }
  const decoder = DECODERS[answer.headers['content-encoding'] ?? '']?.()
  if (!decoder) return { answer, body: answer.body, sizeBytes: sizeIn(answer.headers) }
  answer.body.on('error', (error) => decoder.destroy(error))
  decoder.on('close', () => answer.body.destroy())
  return { answer, body: answer.body.pipe(decoder), sizeBytes: null }
}
