import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { DATABASE_FILE } from '../../../config/data-dir-lock.ts'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'

/** Holds SQLite's write lock, as another program could. */
function hold({ ctx }: TestApp): Disposable {
  const other = new DatabaseSync(join(ctx.config.dataDir, DATABASE_FILE))
  other.exec('begin immediate')
  return { [Symbol.dispose]: () => other.close() }
}

describeEachDatabase('a database that accepts no writes', ({ startApp, engine }) => {
  test('does not prevent reads with existing sessions and keys, although their last use cannot be stored', async ({
    skip,
  }) => {
    skip(engine !== 'sqlite', 'nobody holds a whole PostgreSQL')
    await using t = await startApp()
    const key = await t.keyClient({ mount_permission: true })
    t.clock.advance({ hours: 1 })
    using _held = hold(t)
    const asked = [
      () => t.admin.call('GET', '/api/admin/pastes'),
      () => key.call('GET', '/api/fs/list', { query: { path: '/' } }),
    ]
    for (const ask of asked) expect((await ask()).status).toBe(200)
  })
})
