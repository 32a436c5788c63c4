import { expect, test } from 'vitest'
import { parseStorageKey } from '../keys.ts'
import type { S3Context } from './client.ts'
import { removeObjects } from './removal.ts'

/** A storage that refuses some keys of a removal of many. */
function fakeStorage(codes: Readonly<Record<string, string>>) {
  const single: string[] = []
  const s3 = {
    deleteObjects: async () => ({ Errors: Object.entries(codes).map(([Key, Code]) => ({ Key, Code })) }),
    deleteObject: async ({ Key }: { Key: string }) => void single.push(Key),
  }
  return { ctx: { bucket: 'b', s3 } as unknown as S3Context, single }
}

const keys = ['a', 'b', 'c', 'd'].map((key) => parseStorageKey(key))

test('what was refused for the moment is removed by itself, what is denied is not', async () => {
  const { ctx, single } = fakeStorage({ b: 'InternalError', c: 'AccessDenied', d: 'NoSuchKey' })
  const { removed, failed } = await removeObjects(ctx, keys)
  expect(single).toEqual(['b'])
  expect(failed).toMatchObject([{ key: 'c', error: { code: 'storage.denied' } }])
  expect(removed).toBe(3)
})
