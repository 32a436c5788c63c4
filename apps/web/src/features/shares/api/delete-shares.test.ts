import type { ListedShare } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { deleteShares } from './delete-shares.ts'

const share = (kind: ListedShare['kind'], id: string) => ({ kind, id }) as ListedShare

test('each share is deleted by the route of its kind, and no request is sent for other kinds', async () => {
  const calls: unknown[] = []
  const route =
    (name: string, failed: readonly string[] = []) =>
    async (ids: readonly string[]) => {
      calls.push([name, ...ids])
      return { kind: 'done', deleted: ids.length - failed.length, failed } as const
    }
  const result = await deleteShares([share('bundle', 'b'), share('text', 't'), share('bundle', 'c')], {
    text: route('text'),
    file: route('file'),
    bundle: route('bundle', ['gone']),
  })
  expect(calls).toEqual([
    ['text', 't'],
    ['bundle', 'b', 'c'],
  ])
  expect(result).toEqual({ kind: 'done', deleted: 2, failed: ['gone'] })
})
