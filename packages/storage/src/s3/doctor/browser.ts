import type { StorageKey } from '../../keys.ts'
import { createS3Links } from '../links.ts'
import { type Failure, failureOfAnswer } from './failure.ts'
import type { DoctorCode } from './findings.ts'
import { type PlainAnswer, plainRequest } from './plain-request.ts'
import { attempt, LINK_LIFE, type Probe } from './probe.ts'
import { removeTestObject, TEST_CONTENT, TEST_TYPE } from './writing.ts'

/** Headers that Backblaze requires for uploads from a web page. */
const B2_HEADERS = { 'X-Bz-Content-Sha1': 'do_not_verify', 'X-Requested-With': 'XMLHttpRequest' }

const uploadHeaders = ({ options }: Probe): Record<string, string> => ({
  'Content-Type': TEST_TYPE,
  ...(options.provider === 'Backblaze B2' && B2_HEADERS),
})

export interface CorsOutcome {
  failure: Failure | null
  /**
   * Problem that a browser would find in the responses; null if the upload and reading the etag would work, or if
   * `failure` is set.
   */
  code: DoctorCode | null
  answer: PlainAnswer | null
}

const listOf = (value: string | undefined) => (value ?? '').split(',').map((one) => one.trim().toLowerCase())
const includes = (value: string | undefined, wanted: string) =>
  listOf(value).some((one) => one === '*' || one === wanted.toLowerCase())

const allowsOrigin = ({ headers }: PlainAnswer, origin: string) =>
  ['*', origin].includes(headers['access-control-allow-origin'] ?? '')

const isAllowed = (answer: PlainAnswer, { origin, method }: { origin: string; method: string }) =>
  answer.status >= 200 &&
  answer.status < 300 &&
  allowsOrigin(answer, origin) &&
  includes(answer.headers['access-control-allow-methods'], method)

interface PageCall {
  url: string
  origin: string
  signal: AbortSignal
}

function preflight({ url, origin, signal }: PageCall, method: string, asked: readonly string[]) {
  const headers = {
    Origin: origin,
    'Access-Control-Request-Method': method,
    ...(asked.length > 0 && { 'Access-Control-Request-Headers': asked.join(',').toLowerCase() }),
  }
  return attempt(signal, ({ abortSignal }) =>
    plainRequest(url, { method: 'OPTIONS', headers, signal: abortSignal }),
  )
}

/**
 * Sends the preflight request of a browser before an upload. If the storage refuses the request, sends simpler requests
 * to find out what is missing.
 */
export async function askBeforeUpload(probe: Probe, call: PageCall): Promise<CorsOutcome> {
  const asked = Object.keys(uploadHeaders(probe))
  const { value: answer, failure } = await preflight(call, 'PUT', asked)
  if (answer === null) return { failure, code: null, answer }
  const allowsHeaders = asked.every((name) => includes(answer.headers['access-control-allow-headers'], name))
  const to = (method: string) => ({ origin: call.origin, method })
  if (isAllowed(answer, to('PUT')))
    return { failure: null, code: allowsHeaders ? null : 'cors_headers', answer }
  const bare = await preflight(call, 'PUT', [])
  if (bare.value && isAllowed(bare.value, to('PUT'))) return { failure: null, code: 'cors_headers', answer }
  const get = await preflight(call, 'GET', [])
  const isReadable = get.value !== null && isAllowed(get.value, to('GET'))
  return { failure: null, code: isReadable ? 'cors_no_put' : 'cors_missing', answer }
}

export interface BrowserOutcome {
  sign: { ms: number; url: string | null; failure: Failure | null }
  put: { ms: number; answer: PlainAnswer | null; failure: Failure | null } | null
  head: {
    ms: number
    failure: Failure | null
    sizeBytes: number | null
    modifiedAtMs: number | null
    contentType: string | null
    cleanupFailure: Failure | null
  } | null
  /** Whether a page could read the etag of its upload. */
  readsEtag: boolean
}

async function timed<T>(work: () => Promise<T>): Promise<T & { ms: number }> {
  const startedMs = performance.now()
  const result = await work()
  return { ...result, ms: Math.round(performance.now() - startedMs) }
}

/** Creates a signed URL for an upload of the test object. */
export async function signUpload(probe: Probe, key: string, signal: AbortSignal) {
  const signed = await timed(() =>
    attempt(signal, async () => createS3Links(probe.ctx).put(key as StorageKey, LINK_LIFE)),
  )
  return { ms: signed.ms, url: signed.value, failure: signed.failure }
}

async function lookAtUpload(probe: Probe, key: string, signal: AbortSignal): Promise<BrowserOutcome['head']> {
  const seen = await timed(() =>
    attempt(signal, (o) => probe.ctx.s3.headObject({ Bucket: probe.ctx.bucket, Key: key }, o)),
  )
  const cleanupFailure = await removeTestObject(probe, key, signal)
  return {
    ms: seen.ms,
    failure: seen.failure,
    sizeBytes: seen.value?.ContentLength ?? null,
    modifiedAtMs: seen.value?.LastModified?.getTime() ?? null,
    contentType: seen.value?.ContentType ?? null,
    cleanupFailure,
  }
}

/** Uploads to a signed URL with the headers of a web page, checks the result, and removes the object. */
export async function uploadAsPage(
  probe: Probe,
  { key, origin, signal }: { key: string; origin: string; signal: AbortSignal },
): Promise<BrowserOutcome> {
  const sign = await signUpload(probe, key, signal)
  const { url } = sign
  if (url === null) return { sign, put: null, head: null, readsEtag: false }
  const headers = { ...uploadHeaders(probe), Origin: origin }
  const sent = await timed(() =>
    attempt(signal, ({ abortSignal }) =>
      plainRequest(url, { method: 'PUT', headers, body: TEST_CONTENT, signal: abortSignal }),
    ),
  )
  const answer = sent.value
  const isStored = answer !== null && answer.status >= 200 && answer.status < 300
  const failure = answer !== null && !isStored ? failureOfAnswer(answer) : sent.failure
  const put = { ms: sent.ms, answer, failure }
  if (!isStored) return { sign, put, head: null, readsEtag: false }
  const readsEtag =
    allowsOrigin(answer, origin) && includes(answer.headers['access-control-expose-headers'], 'etag')
  return { sign, put, head: await lookAtUpload(probe, key, signal), readsEtag }
}
