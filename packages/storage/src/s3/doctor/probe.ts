import { openClient, type S3Context, type S3DriverOptions } from '../client.ts'
import { regionOf } from '../providers.ts'
import { type Failure, failureOf } from './failure.ts'

/** Longest time without data during a call. */
const CALL_TIMEOUT_MS = 8000
const CONNECT_TIMEOUT_MS = 5000
/** Lifetime of links signed for the test. */
const LINK_SECONDS = 600
export const LINK_LIFE = { expiresInSeconds: LINK_SECONDS }

/** A client for the connection test that also measures the storage's clock. */
export interface Probe {
  options: S3DriverOptions
  ctx: S3Context
  region: string
  /** Returns how far the storage's clock is ahead of this machine's; null before its first response. */
  skewMs: () => number | null
  close: () => void
}

/** @throws {StorageError} `storage.unavailable` if the endpoint is not a URL. */
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

/** Makes one call, and returns its failure as a value. A time limit applies to every call. */
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
