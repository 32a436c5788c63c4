import { expect, test } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { localDiskId, share } from '../../../testing/files.ts'
import { storageUsageRepository } from './storage-usage.repository.ts'

/** Computes the expected sums by adding up every share. */
async function addedUp({ ctx }: TestApp, configId: string) {
  const rows = await ctx.db
    .selectFrom('files')
    .select(['size_bytes', 'committed_at_ms'])
    .where('storage_config_id', '=', configId)
    .where('purged_at_ms', 'is', null)
    .execute()
  const sum = (isShared: boolean) =>
    rows
      .filter((row) => (row.committed_at_ms !== null) === isShared)
      .reduce((bytes, row) => bytes + row.size_bytes, 0)
  return { sharedBytes: sum(true), promisedBytes: sum(false) }
}

describeEachDatabase('the totals of shares', ({ startApp }) => {
  test('are correct after every kind of change', async () => {
    await using t = await startApp()
    const { db, database } = t.ctx
    const configId = await localDiskId(t)
    const sums = (fileId?: string) => storageUsageRepository(db).sums(configId, { fileId }, 0)
    const { slug } = await share(t.admin, 'a.bin', { bytes: Buffer.alloc(600) })
    const first = await db.selectFrom('files').selectAll().where('slug', '=', slug).executeTakeFirstOrThrow()
    const files = (numbers: readonly number[], change: Partial<typeof first>) =>
      numbers.map((number) => ({
        ...first,
        id: `id-${number}`,
        slug: `slug-${number}`,
        storage_key: `key-${number}`,
        size_bytes: 1000 + number,
        ...change,
      }))
    const update = (ids: readonly string[], change: Partial<typeof first>) =>
      db.updateTable('files').set(change).where('id', 'in', ids).execute()
    const steps: Array<() => Promise<unknown>> = [
      () =>
        db
          .insertInto('files')
          .values(files([1, 2, 3, 4], { committed_at_ms: null }))
          .execute(),
      () =>
        db
          .insertInto('files')
          .values(files([5, 6], {}))
          .execute(),
      () => update(['id-1', 'id-2'], { committed_at_ms: 5 }),
      () => update(['id-2', 'id-3'], { size_bytes: 7 }),
      () => update(['id-1', 'id-4'], { purged_at_ms: 6 }),
      () => update(['id-4'], { size_bytes: 9 }),
      () => update(['id-4'], { purged_at_ms: null }),
      () => db.deleteFrom('files').where('id', 'in', ['id-1', 'id-2', 'id-3']).execute(),
      () =>
        database
          .transaction(async (trx) => {
            await trx.deleteFrom('files').execute()
            throw new Error('undone')
          })
          .catch(() => undefined),
    ]
    const seen: number[] = []
    for (const step of steps) {
      await step()
      const wanted = await addedUp(t, configId)
      expect(await sums()).toEqual(wanted)
      expect(await sums(first.id)).toEqual({ ...wanted, sharedBytes: wanted.sharedBytes - 600 })
      const { promisedBytes } = wanted
      expect(await sums('id-4')).toEqual({
        ...wanted,
        promisedBytes:
          promisedBytes === 0 ? 0 : (await sums('id-none')).promisedBytes - (await sizeOf(t, 'id-4')),
      })
      seen.push(wanted.sharedBytes + promisedBytes)
    }
    expect(new Set(seen).size).toBeGreaterThan(5)
    await db.deleteFrom('files').execute()
    expect(await sums()).toEqual({ sharedBytes: 0, promisedBytes: 0 })
  })
})

/** Returns the size of one counted share. */
async function sizeOf({ ctx }: TestApp, id: string): Promise<number> {
  const row = await ctx.db
    .selectFrom('files')
    .select('size_bytes')
    .where('id', '=', id)
    .where('purged_at_ms', 'is', null)
    .executeTakeFirst()
  return row?.size_bytes ?? 0
}
