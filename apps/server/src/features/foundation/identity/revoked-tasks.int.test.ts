import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { ADMIN_PASSWORD, describeEachDatabase, type TestApp, type TestClient } from '../../../testing/app.ts'
import { share } from '../../../testing/files.ts'
import { localDisk } from '../../../testing/storages.ts'

const RIGHTS = { text_permission: true, file_permission: true, mount_permission: true }
const COUNT = 400

/** Creates a folder that is slow to copy, move and delete. */
async function prepare(t: TestApp): Promise<void> {
  const disk = await localDisk(t)
  for (let n = 0; n < COUNT; n += 1) await disk.put(`from/${n}.txt`, String(n))
  const driver = (await disk.driver()) as unknown as Record<
    'copy' | 'move',
    (...input: unknown[]) => Promise<unknown>
  >
  // Disables atomic moves of folders, as if another file system were mounted inside the folder.
  Object.assign(driver, { moveFolder: null })
  for (const name of ['copy', 'move'] as const) {
    const quick = driver[name].bind(driver)
    driver[name] = async (...input) => {
      // Slows down each file, so that the task's key is checked several times before the task ends (one check per
      // second).
      await sleep(80)
      return quick(...input)
    }
  }
}

const transfer = (who: TestClient, kind: 'copy' | 'move') =>
  who.call('POST', `/api/fs/batch-${kind}`, {
    body: { items: [{ sourcePath: '/local/from/', targetPath: '/local/to/' }] },
  })

async function lastTask(t: TestApp) {
  const { tasks } = (await t.admin.call('GET', '/api/tasks')).body.data
  return tasks[0] as {
    id: string
    state: string
    progress: { doneItems: number }
    error: { code: string; message: string } | null
  }
}

/** Starts a task, waits until some files are processed, calls the given function, and waits until the task ends. */
async function stopAfterSome(
  t: TestApp,
  kind: 'copy' | 'move',
  who: TestClient,
  end: () => Promise<unknown>,
) {
  const answer = transfer(who, kind)
  const copied = async () => (await (await localDisk(t)).keys('to/')).length
  await vi.waitFor(async () => expect(await copied()).toBeGreaterThan(8))
  await end()
  await answer
  return { task: await lastTask(t), copied: await copied() }
}

const CHANGES: ReadonlyArray<readonly [string, (t: TestApp, id: string) => Promise<unknown>, string]> = [
  ['is deleted', (t, id) => t.admin.call('DELETE', `/api/admin/api-keys/${id}`), 'auth.unauthorized'],
  ['expires', async (t) => t.clock.advance({ seconds: 600 }), 'auth.unauthorized'],
  ...(
    [
      ['loses the right', { mount_permission: false }, 'auth.forbidden'],
      ['becomes read-only', { mount_read_only: true }, 'fs.read_only'],
      ['is moved elsewhere', { basic_path: '/local/from' }, 'auth.path_forbidden'],
    ] as const
  ).map(
    ([name, body, code]) =>
      [
        name,
        (t: TestApp, id: string) => t.admin.call('PUT', `/api/admin/api-keys/${id}`, { body }),
        code,
      ] as const,
  ),
]

const keyOf = (t: TestApp) =>
  t.keyClient({ ...RIGHTS, expires_at: new Date(t.clock.nowMs() + 600_000).toISOString() })

describeEachDatabase('running tasks', ({ startApp, engine }) => {
  // Runs on SQLite only by default, because the code under test does not depend on the database.
  const isOfOne = engine === 'postgres' && process.env.EVERY_PAIR !== '1'
  test.skipIf(isOfOne).each(CHANGES)(
    'stop soon when their key %s, and report the reason',
    async (_name, end, code) => {
      await using t = await startApp()
      await prepare(t)
      const key = await keyOf(t)
      const { task, copied } = await stopAfterSome(t, 'copy', key, () => end(t, key.id))
      expect(task).toMatchObject({ state: 'partially_complete', error: { code } })
      expect(task.error?.message).not.toBe('')
      expect(copied).toBeLessThan(COUNT)
      await t.ctx.tasks.stop()
      expect(await (await localDisk(t)).keys('to/')).toHaveLength(copied)
    },
  )

  test('lose no file of a move that stops', async () => {
    await using t = await startApp()
    await prepare(t)
    const key = await keyOf(t)
    const { task } = await stopAfterSome(t, 'move', key, () =>
      t.admin.call('DELETE', `/api/admin/api-keys/${key.id}`),
    )
    expect(task).toMatchObject({ state: 'partially_complete', error: { code: 'auth.unauthorized' } })
    const disk = await localDisk(t)
    const names = [...(await disk.keys('from/')), ...(await disk.keys('to/'))].map((key) => key.split('/')[1])
    expect(new Set(names.filter((name) => name !== '')).size).toBe(COUNT)
  })

  test.runIf(engine === 'postgres')('stop also when the key is deleted at another replica', async () => {
    await using t = await startApp()
    await using other = await t.replica()
    await prepare(t)
    const key = await keyOf(t)
    const { task, copied } = await stopAfterSome(t, 'copy', key, () =>
      other.admin.call('DELETE', `/api/admin/api-keys/${key.id}`),
    )
    expect(task).toMatchObject({ state: 'partially_complete', error: { code: 'auth.unauthorized' } })
    expect(copied).toBeLessThan(COUNT)
  })

  test('of an administrator continue when the session ends', async () => {
    await using t = await startApp()
    await prepare(t)
    const body = { username: 'admin', password: ADMIN_PASSWORD }
    const { token } = (await t.visitor.call('POST', '/api/admin/login', { body })).body.data
    const who = t.client(`Bearer ${token}`)
    const { copied } = await stopAfterSome(t, 'copy', who, () => who.call('POST', '/api/admin/logout'))
    expect(copied).toBeGreaterThanOrEqual(COUNT)
  })

  test('that are queued do not start when the key is deleted', async () => {
    await using t = await startApp()
    const key = await keyOf(t)
    await key.call('POST', '/api/paste', { body: { content: 'x' } })
    await share(key, 'a.txt')
    for (const kind of ['pastes', 'files'])
      expect((await key.call('POST', `/api/user/${kind}/delete-matching`, { body: {} })).status).toBeLessThan(
        300,
      )
    await t.admin.call('DELETE', `/api/admin/api-keys/${key.id}`)
    await t.ctx.tasks.drain()
    expect(await t.ctx.db.selectFrom('pastes').select('slug').execute()).toHaveLength(1)
    expect(await t.ctx.db.selectFrom('files').select('slug').execute()).toHaveLength(1)
    expect(await lastTask(t)).toMatchObject({ state: 'failed', error: { code: 'auth.unauthorized' } })
  })
})
