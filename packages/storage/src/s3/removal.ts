import type { DeleteObjectsCommandOutput } from '@aws-sdk/client-s3'
import { mapBounded } from '../concurrency.ts'
import type { Op, RemoveResult } from '../driver.ts'
import { StorageError } from '../errors.ts'
import type { StorageKey } from '../keys.ts'
import { at, call, type S3Context } from './client.ts'
import { statusOf, translateCode } from './errors.ts'

/**
 * Maximum number of keys in one request. Source: AWS S3 "DeleteObjects", API/API_DeleteObjects.html, read 2026-11-20.
 */
const KEYS_MAX = 1000
const REQUESTS_AT_ONCE = 4
const SINGLE_REMOVALS_AT_ONCE = 16

/** Status codes of providers that do not support removing many keys at once. */
const UNKNOWN = new Set([400, 405, 501])

type Failures = RemoveResult['failed']

/** Removes keys in batches of a thousand. If a request fails as a whole, each of its keys counts as failed. */
export async function removeObjects(
  ctx: S3Context,
  keys: readonly StorageKey[],
  o: Op = {},
): Promise<RemoveResult> {
  o.signal?.throwIfAborted()
  const batches = Array.from({ length: Math.ceil(keys.length / KEYS_MAX) }, (_, index) =>
    keys.slice(index * KEYS_MAX, (index + 1) * KEYS_MAX),
  )
  const removeOne = async (batch: StorageKey[]): Promise<Failures> => {
    try {
      return await removeBatch(ctx, batch, o)
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      return batch.map((key) => ({ key, error }))
    }
  }
  const failed = (await mapBounded(batches, REQUESTS_AT_ONCE, removeOne)).flat()
  return { removed: keys.length - failed.length, failed }
}

async function removeBatch(ctx: S3Context, keys: StorageKey[], o: Op): Promise<Failures> {
  const input = { Bucket: ctx.bucket, Delete: { Quiet: true, Objects: keys.map((Key) => ({ Key })) } }
  const answer = await call(`remove ${keys.length} objects`, o.signal, (options) =>
    ctx.s3.deleteObjects(input, options).catch((error: unknown) => {
      if (UNKNOWN.has(statusOf(error) ?? 0)) return null
      throw error
    }),
  )
  if (answer === null) return removeEach(ctx, keys, o)
  const failed = failuresOf(answer)
  // A key that collides with a write is refused at first. Removing it separately is retried like every other call.
  const passing = failed.filter(({ error }) => error.code === 'storage.unavailable').map(({ key }) => key)
  if (passing.length === 0) return failed
  return [...failed.filter(({ key }) => !passing.includes(key)), ...(await removeEach(ctx, passing, o))]
}

function failuresOf({ Errors = [] }: DeleteObjectsCommandOutput): Failures {
  return Errors.filter(({ Code }) => Code !== 'NoSuchKey').map(({ Key = '', Code = 'unknown' }) => ({
    key: Key as StorageKey,
    error: translateCode(Code, `remove ${JSON.stringify(Key)}`),
  }))
}

async function removeEach(ctx: S3Context, keys: StorageKey[], o: Op): Promise<Failures> {
  const failed: Failures = []
  await mapBounded(keys, SINGLE_REMOVALS_AT_ONCE, async (key) => {
    try {
      await call(`remove ${JSON.stringify(key)}`, o.signal, (options) =>
        ctx.s3.deleteObject(at(ctx, key), options),
      )
    } catch (error) {
      if (!(error instanceof StorageError)) throw error
      if (error.code !== 'storage.not_found') failed.push({ key, error })
    }
  })
  return failed
}
