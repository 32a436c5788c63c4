import { createHash } from 'node:crypto'
import type { S3, S3ClientConfig } from '@aws-sdk/client-s3'
import { StorageError } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import { statusOf, translate } from './errors.ts'
import { type ProviderTraits, regionOf, retryDelayMs, type S3Provider, traitsOf } from './providers.ts'
import { openTransport, type ProbeTuning, silent } from './transport.ts'

export interface S3DriverOptions {
  provider: S3Provider
  /** URL with scheme and without the bucket: `https://s3.eu-west-1.amazonaws.com`. */
  endpointUrl: string
  bucket: string
  /** If empty, the region comes from the endpoint or the provider. */
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Whether the bucket is in the path instead of the host name. */
  pathStyle: boolean
  /** A public URL of the bucket, with scheme, or null. */
  customHost: string | null
  /**
   * Whether exactly one of several concurrent writers with `If-None-Match: *` or `If-Match` succeeds. If false, these
   * headers are not sent. By default, the provider's documentation decides; see `ProviderTraits`.
   */
  conditionalWrite?: boolean | undefined
  /** Clock for the expiry of signed links, and for the times of objects that are written or copied. */
  clock?: { nowMs: () => number } | undefined
  /** By default, uploads are not recorded. */
  noteUpload?: NoteUpload | undefined
}

/**
 * Records that parts of an object might remain in the bucket. Called before `write` or `copy` starts a multipart
 * upload, and when the id of a started upload may be lost. When `write` or `copy` has ended, the driver calls `end` of
 * the result. If the process dies before that, this record is the only trace of the parts.
 */
export type NoteUpload = (key: StorageKey) => Promise<UploadNote>

export interface UploadNote {
  /** Ends the record. Never rejects. @param o.isLeft whether parts might remain in the bucket */
  end(o: { isLeft: boolean }): Promise<void>
}

/** State that all modules of the driver share. */
export interface S3Context {
  s3: S3
  bucket: string
  traits: ProviderTraits
  nowMs: () => number
  noteUpload: NoteUpload
  /** @throws {StorageError} `storage.bucket_missing` if the bucket does not exist. Success is cached for a while. */
  requireBucket: (o: { signal?: AbortSignal | undefined }) => Promise<void>
}

/** How long a bucket that was found is assumed to exist. */
const BUCKET_SEEN_MS = 30_000

/**
 * Opens a client. Loads the SDK on demand, because installations without S3 do not need it.
 * @throws {StorageError} `storage.unavailable` if the endpoint is not a URL
 */
export async function openClient(
  o: S3DriverOptions,
  probe?: ProbeTuning,
): Promise<S3Context & { close: () => void }> {
  if (!/^https?:/i.test(o.endpointUrl) || !URL.canParse(o.endpointUrl)) {
    const message = `${JSON.stringify(o.endpointUrl)} is no address of a storage.`
    throw new StorageError('storage.unavailable', message)
  }
  const [{ S3 }, { NodeHttpHandler: Handler }, { Receiver: Reading }, { ConfiguredRetryStrategy }] =
    await Promise.all([
      import('@aws-sdk/client-s3'),
      import('@smithy/node-http-handler'),
      import('./receiver.ts'),
      import('@smithy/core/retry'),
    ])
  const traits = { ...traitsOf(o.provider) }
  if (o.conditionalWrite !== undefined) {
    traits.sendsCondition = o.conditionalWrite
    traits.keepsCondition = o.conditionalWrite
  }
  if (probe) Object.assign(traits, { timeoutMs: probe.timeoutMs, retries: 0 })
  const transport = openTransport({ Handler, Reading }, { timeoutMs: traits.timeoutMs, probe })
  const retryStrategy = new ConfiguredRetryStrategy(traits.retries + 1, (attempt) =>
    retryDelayMs(Math.max(0, attempt - 1)),
  )
  const s3 = new S3({ ...settings(o), requestHandler: transport.requestHandler, retryStrategy })
  adaptHeaders(s3, traits)
  const nowMs = o.clock?.nowMs ?? Date.now
  const requireBucket = bucketCheck(s3, o.bucket)
  const { noteUpload = noteNothing } = o
  return { s3, bucket: o.bucket, traits, nowMs, noteUpload, requireBucket, close: transport.close }
}

const noteNothing: NoteUpload = () => Promise.resolve({ end: () => Promise.resolve() })

/** Calls whose body needs a checksum. */
const MD5_COMMANDS: ReadonlySet<string> = new Set([
  'DeleteObjectsCommand',
  'PutBucketCorsCommand',
  'PutBucketLifecycleConfigurationCommand',
])

function settings(o: S3DriverOptions): S3ClientConfig {
  const { accessKeyId, secretAccessKey } = o
  return {
    endpoint: o.endpointUrl,
    region: regionOf(o),
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: o.pathStyle,
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    /** This option is off, because `Expect: 100-continue` delays each body, and most S3 servers do not support it. */
    expectContinueHeader: false,
    followRegionRedirects: false,
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    disableS3ExpressSessionAuth: true,
    logger: silent,
  }
}

/**
 * Adapts request headers to the providers. Some calls need a checksum of their body. Every provider accepts
 * Content-MD5, but not all accept the SDK's CRC32. The signature of a part leaves the body out. Some providers use
 * another header for the condition of CopyObject.
 */
function adaptHeaders(s3: S3, { copyCondition }: ProviderTraits): void {
  s3.middlewareStack.add(
    (next, context) => (args) => {
      const { request } = args as { request?: { headers: Record<string, string>; body?: unknown } }
      if (request && MD5_COMMANDS.has(context.commandName ?? '') && typeof request.body === 'string') {
        for (const name of Object.keys(request.headers)) {
          if (/^x-amz-(checksum|sdk-checksum)/i.test(name)) delete request.headers[name]
        }
        request.headers['content-md5'] = createHash('md5').update(request.body).digest('base64')
      }
      // Leaves the body out of the signature, because hashing a part costs more than sending it, and a streamed body
      // has no hash. A signed link has no body, and its signature already leaves the body out.
      if (request?.body !== undefined && context.commandName === 'UploadPartCommand')
        request.headers['x-amz-content-sha256'] = 'UNSIGNED-PAYLOAD'
      const condition = request?.headers['if-none-match']
      if (request && context.commandName === 'CopyObjectCommand' && condition && copyCondition) {
        delete request.headers['if-none-match']
        request.headers[copyCondition] = condition
      }
      return next(args)
    },
    { name: 'adaptHeaders', step: 'build', priority: 'low' },
  )
}

function bucketCheck(s3: S3, bucket: string): S3Context['requireBucket'] {
  let seenAtMs = -Infinity
  return async ({ signal }) => {
    if (performance.now() - seenAtMs < BUCKET_SEEN_MS) return
    await call('find the bucket', signal, (o) =>
      s3.headBucket({ Bucket: bucket }, o).catch((error: unknown) => {
        if (statusOf(error) === 404) throw noBucket(bucket, error)
        if (statusOf(error) !== 403) throw error
      }),
    )
    seenAtMs = performance.now()
  }
}

function noBucket(bucket: string, cause: unknown): StorageError {
  const message = `There is no bucket ${JSON.stringify(bucket)}.`
  return new StorageError('storage.bucket_missing', message, { cause })
}

/**
 * Sends one SDK call. Rejects with the signal's reason as soon as it aborts, even in a pause before a retry.
 * @param what completes "The storage failed to …".
 * @throws {StorageError} for every failure of the storage.
 */
export async function call<T>(
  what: string,
  signal: AbortSignal | undefined,
  send: (o: { abortSignal?: AbortSignal }) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted()
  let stop: (() => void) | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal?.reason as Error)
    signal?.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([send(signal ? { abortSignal: signal } : {}), aborted])
  } catch (error) {
    if (signal?.aborted) throw signal.reason
    throw translate(error, what)
  } finally {
    if (stop) signal?.removeEventListener('abort', stop)
  }
}

/** Returns the bucket and key of an object, in the form of SDK parameters. */
export function at({ bucket }: S3Context, key: StorageKey): { Bucket: string; Key: string } {
  return { Bucket: bucket, Key: key }
}

/** @returns the etag without the quotes of the header */
export function plainEtag(etag: string | undefined): string {
  return (etag ?? '').replace(/^W\//, '').replaceAll('"', '')
}
