import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { Schema } from '../../../schema.ts'
import { describeEachDatabase } from '../../../testing/app.ts'
import type { CloudPasteDatabase } from './cloudpaste-database.ts'
import { importCloudPaste } from './import-cloudpaste.usecases.ts'

/** Runs a transaction completely, and then rolls it back. */
async function inVain(db: Kysely<Schema>, work: (trx: Transaction<Schema>) => Promise<unknown>) {
  const undone = new Error('undone')
  const run = db.transaction().execute(async (trx) => {
    await work(trx)
    throw undone
  })
  await run.catch((error: unknown) => {
    if (error !== undone) throw error
  })
}

describeEachDatabase('an import from CloudPaste whose transaction runs again', ({ startApp }) => {
  test('reports each invalid row once', async () => {
    await using t = await startApp()
    const unfit = {
      id: randomUUID(),
      name: 'phone',
      key: 'no key: spaces',
      expires_at: '2031-01-01T00:00:00Z',
    }
    const from = {
      rows: (table: string) => (table === 'api_keys' ? [unfit] : []),
      shares: () => [],
    } as unknown as CloudPasteDatabase
    const { id: adminId } = await t.ctx.db.selectFrom('admins').select('id').executeTakeFirstOrThrow()
    const { database } = t.ctx
    const transaction = database.transaction.bind(database)
    vi.spyOn(database, 'transaction').mockImplementationOnce(async (work) => {
      await inVain(t.ctx.db, work)
      return transaction(work)
    })
    const outcome = await importCloudPaste(t.ctx, from, { adminId, isTrial: false })
    expect(outcome.unfit).toMatchObject([{ kind: 'api_key', name: 'phone', field: 'key' }])
  })
})
