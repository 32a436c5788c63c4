import { openClient, type S3Context, type S3DriverOptions } from '../client.ts'
import { regionOf } from '../providers.ts'
import { type Failure, failureOf } from './failure.ts'

/** Longest silence of one call, and longest wait for a connection. */
const CALL_TIMEOUT_MS = 8000
const CONNECT_TIMEOUT_MS = 5000
/** Longest life of what is signed for the test. */
const LINK_SECONDS = 600
export const LINK_LIFE = { expiresInSeconds: LINK_SECONDS }

/** A client that looks at the storage once, and hears its clock. */
export interface Probe {
  options: S3DriverOptions
  ctx: S3Context
  region: string
  /** How far the storage's clock is ahead of this machine's; null before its first answer. */
  skewMs: () => number | null
  close: () => void
}

/** @throws {StorageError} `storage.unavailable` when the endpoint is no URL. */
export async function openProbe(options: S3DriverOptions): Promise<Probe> {
  let skewMs: number | null = null
  const onResponse = ({ date = '' }: Record<string, string>) => {
    const storageMs = Date.parse(date)
    if (!Number.isNaN(storageMs)) skewMs = storageMs - Date.now()
  }
  const { close, ...ctx } = await openClient(options, {
    timeoutMs: CALL_TIMEOUT_MS,
    connectTimeoutMs: CONNECT_TIMEOUT_MS,
    onResponse,
  })
  return { options, ctx, region: regionOf(options), skewMs: () => skewMs, close }
}

export type Outcome<T> = { value: T; failure: null } | { value: null; failure: Failure }

/** One call whose failure is an answer. No call outlasts its time limit. */
export async function attempt<T>(
  signal: AbortSignal,
  work: (o: { abortSignal: AbortSignal }) => Promise<T>,
): Promise<Outcome<T>> {
  const abortSignal = AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)])
  try {
    abortSignal.throwIfAborted()
    return { value: await work({ abortSignal }), failure: null }
  } catch (error) {
    return { value: null, failure: failureOf(abortSignal.aborted ? abortSignal.reason : error) }
  }
}
