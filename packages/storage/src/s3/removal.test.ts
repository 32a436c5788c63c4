import { expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import type { S3Context } from './client.ts'
import { removeObjects } from './removal.ts'

/** Simulates a storage that refuses some keys of a DeleteObjects request. */
function fakeStorage(codes: Readonly<Record<string, string>>) {
  const single: string[] = []
  const s3 = {
    deleteObjects: async () => ({ Errors: Object.entries(codes).map(([Key, Code]) => ({ Key, Code })) }),
    deleteObject: async ({ Key }: { Key: string }) => void single.push(Key),
  }
  return { ctx: { bucket: 'b', s3 } as unknown as S3Context, single }
}

const keys = ['a', 'b', 'c', 'd'].map((key) => parseStorageKey(key))

test('temporarily refused keys are removed one by one, denied ones are not', async () => {
  const { ctx, single } = fakeStorage({ b: 'InternalError', c: 'AccessDenied', d: 'NoSuchKey' })
  const { removed, failed } = await removeObjects(ctx, keys)
  expect(single).toEqual(['b'])
  expect(failed).toMatchObject([{ key: 'c', error: { code: 'storage.denied' } }])
  expect(removed).toBe(3)
})

/** Creates the error of a request that fails as a whole. */
const answerOf = (httpStatusCode: number, name: string) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode } })

test('a request that fails as a whole fails each of its keys, and does not throw', async () => {
  const { ctx } = fakeStorage({})
  const refused = { ...ctx.s3, deleteObjects: () => Promise.reject(answerOf(403, 'AccessDenied')) }
  const { removed, failed } = await removeObjects({ ...ctx, s3: refused } as unknown as S3Context, keys)
  expect(removed).toBe(0)
  expect(failed.map(({ key, error }) => [key, error.code])).toEqual(
    keys.map((key) => [key, 'storage.denied']),
  )
})

test.each([400, 405, 501])('after %i to a batch removal, keys are removed one by one', async (status) => {
  const { ctx, single } = fakeStorage({})
  const unknown = { ...ctx.s3, deleteObjects: () => Promise.reject(answerOf(status, 'NotKnown')) }
  const { removed, failed } = await removeObjects({ ...ctx, s3: unknown } as unknown as S3Context, keys)
  expect([removed, failed]).toEqual([keys.length, []])
  expect(single.toSorted()).toEqual([...keys])
})
