import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, inject, test } from 'vitest'
import { TaskQueue } from '../../../../jobs/task-queue.ts'
import { eachOf } from '../../../../lib/concurrency.ts'
import { describeEachDatabase, type TestClient } from '../../../../testing/app.ts'
import { shareInPlace } from '../../../../testing/fs.ts'
import {
  addS3Mount,
  describeEachStorage,
  localDisk,
  manyOn,
  shortenPages,
  type StorageTestApp,
  type TestStorage,
} from '../../../../testing/storages.ts'
import { readAddress } from '../../../../testing/files.ts'
import { transferHandler } from './transfers.usecases.ts'

const rename = (client: TestClient, oldPath: string, newPath: string) =>
  client.call('POST', '/api/fs/rename', { body: { oldPath, newPath } })
const remove = (client: TestClient, paths: string[]) =>
  client.call('DELETE', '/api/fs/batch-remove', { body: { paths } })
const copy = (client: TestClient, pairs: Array<[string, string]>, options: object = {}) =>
  client.call('POST', '/api/fs/batch-copy', {
    body: { items: pairs.map(([sourcePath, targetPath]) => ({ sourcePath, targetPath })), ...options },
  })
const move = (client: TestClient, pairs: Array<[string, string]>, options: object = {}) =>
  client.call('POST', '/api/fs/batch-move', {
    body: { items: pairs.map(([sourcePath, targetPath]) => ({ sourcePath, targetPath })), ...options },
  })

async function fill(storage: TestStorage, entries: Record<string, string>): Promise<void> {
  await eachOf(Object.entries(entries), 16, ([key, content]) => storage.put(key, content))
}

const numbered = (count: number, keyOf: (n: number) => string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [keyOf(n), `content of ${n}`]))

/**
 * Makes copies and moves in the storage fail or wait. Folders are moved object by object.
 * @returns a function that restores the storage.
 */
async function breakCopies(
  storage: TestStorage,
  isBroken: (from: string) => boolean | Promise<boolean>,
): Promise<() => void> {
  const driver = (await storage.driver()) as unknown as Record<'copy' | 'move' | 'moveFolder', unknown>
  const { copy: whole, move: wholeMove, moveFolder } = driver
  const breaking =
    (work: unknown) =>
    async (from: string, ...rest: unknown[]) => {
      if (await isBroken(from)) throw new Error('The storage broke off.')
      return (work as (from: string, ...rest: unknown[]) => unknown)(from, ...rest)
    }
  driver.copy = breaking(whole)
  if (wholeMove) driver.move = breaking(wholeMove)
  driver.moveFolder = null
  return () => {
    driver.moveFolder = moveFolder
    driver.copy = whole
    driver.move = wholeMove
  }
}

const names = async (storage: TestStorage, prefix = '') =>
  (await storage.keys(prefix)).filter((key) => !key.endsWith('/'))

/** Waits for a task that runs longer than its request. */
async function ended(t: StorageTestApp, id: string): Promise<void> {
  for (;;) {
    const task = await t.ctx.tasks.find(id)
    if (task === undefined || !['pending', 'running'].includes(task.state)) return
    await sleep(100)
  }
}

/** Timeout of tests that store thousands of objects. */
const LONG_MS = 300_000

describeEachStorage('renaming', ({ startApp, mountPath: m, kind }) => {
  const count = manyOn(kind, 2000, 250)
  const faults = count / 50

  test('a file gets its new name, and its share follows', async () => {
    await using t = await startApp()
    const slug = await shareInPlace(t.admin, `${m}/a.txt`, 'shared bytes')
    const answer = await rename(t.admin, `${m}/a.txt`, `${m}/deep/er/b.txt`)
    expect([answer.status, answer.body.data]).toEqual([200, {}])
    expect(await names(t.storage)).toEqual(['deep/er/b.txt'])
    const seen = await t.visitor.call('GET', `/api/file-download/${slug}`)
    expect([seen.status, seen.text]).toEqual([200, 'shared bytes'])
    expect((await t.admin.call('GET', '/api/tasks')).body.data.tasks).toEqual([])
  })

  test('an impossible rename is reported, and nothing changes', async () => {
    await using t = await startApp()
    await fill(t.storage, { 'a.txt': 'a', 'b.txt': 'b', 'dir/c.txt': 'c', 'other/d.txt': 'd' })
    const before = await t.storage.keys()
    const cases: Array<[string, string, number, string]> = [
      [`${m}/a.txt`, `${m}/b.txt`, 409, 'fs.exists'],
      [`${m}/a.txt`, `${m}/a.txt`, 409, 'fs.exists'],
      [`${m}/dir/`, `${m}/dir/`, 409, 'fs.exists'],
      [`${m}/none.txt`, `${m}/c.txt`, 404, 'fs.not_found'],
      [`${m}/none/`, `${m}/c/`, 404, 'fs.not_found'],
      [`${m}/dir/`, `${m}/other/`, 409, 'fs.exists'],
      [`${m}/dir/`, `${m}/b.txt/`, 409, 'fs.exists'],
      [`${m}/dir/`, `${m}/dir/below/`, 400, 'fs.into_itself'],
      [`${m}/dir/`, `${m}/x`, 400, 'fs.kind_mismatch'],
      [`${m}/`, `${m}/x/`, 403, 'fs.not_operable'],
      [`${m}/a.txt`, '/nowhere/a.txt', 404, 'fs.no_mount'],
      ['/', '/x/', 403, 'fs.not_operable'],
      [`${m}/a.txt`, `${m}/../b.txt`, 400, 'fs.path_invalid'],
    ]
    for (const [from, to, status, code] of cases) {
      const answer = await rename(t.admin, from, to)
      expect([from, to, answer.status, answer.body.error?.code]).toEqual([from, to, status, code])
    }
    expect(await t.storage.keys()).toEqual(before)
  })

  test('a folder moves completely; its parent stays even if it becomes empty', async () => {
    await using t = await startApp()
    await fill(t.storage, { 'x/y/': '', 'x/y/1.txt': '1', 'x/y/z/2.txt': '2', 'xy.txt': 'beside' })
    expect((await rename(t.admin, `${m}/x/y/`, `${m}/照片/n/`)).status).toBe(200)
    expect(await names(t.storage)).toEqual(['xy.txt', '照片/n/1.txt', '照片/n/z/2.txt'])
    expect(await t.storage.keys('x/')).toEqual(['x/'])
  })

  test(
    `a folder of ${count} whose every 50th copy fails loses nothing, and a second run finishes it`,
    { timeout: LONG_MS },
    async () => {
      await using t = await startApp()
      await shortenPages(t.storage)
      const entries = numbered(count, (n) => `old/${n % 10}/${String(n).padStart(4, '0')}.txt`)
      await fill(t.storage, entries)
      let copies = 0
      const mend = await breakCopies(t.storage, (from) => !from.endsWith('/') && (copies += 1) % 50 === 0)
      const first = await rename(t.admin, `${m}/old/`, `${m}/new/`)
      // On a slow gateway, the task can outlast the request.
      if (first.status === 202) await ended(t, first.body.data.task.id)
      else
        expect([first.status, first.body.error?.code, first.body.error?.details.length]).toEqual([
          502,
          'fs.partly_done',
          faults,
        ])
      const [task] = (await t.admin.call('GET', '/api/tasks')).body.data.tasks
      expect(task).toMatchObject({
        type: 'move',
        state: 'partially_complete',
        progress: { failedItems: faults },
      })
      const left = await names(t.storage, 'old/')
      const arrived = await names(t.storage, 'new/')
      expect(left).toHaveLength(faults)
      expect([...left, ...arrived.map((key) => key.replace('new/', 'old/'))].sort()).toEqual(
        Object.keys(entries).sort(),
      )
      mend()
      const second = await rename(t.admin, `${m}/old/`, `${m}/new/`)
      if (second.status === 202) await ended(t, second.body.data.task.id)
      else expect(second.status).toBe(200)
      expect(await t.storage.keys('old/')).toEqual([])
      expect(await names(t.storage, 'new/')).toHaveLength(count)
      for (const key of ['new/0/0000.txt', 'new/9/0049.txt'])
        expect(await t.storage.text(key)).toBe(entries[key.replace('new/', 'old/')])
    },
  )

  test('a move that was interrupted between copy and removal resumes, and does not mistake another file for its copy', async () => {
    await using t = await startApp()
    await fill(t.storage, { 'old/same.txt': 'equal', 'old/other.txt': 'mine', 'old/more.txt': 'more' })
    const mend = await breakCopies(t.storage, (from) => from === 'old/more.txt')
    expect((await rename(t.admin, `${m}/old/`, `${m}/new/`)).status).toBe(502)
    mend()
    // Simulates removals that did not happen, and a file that another request has replaced since then.
    await fill(t.storage, { 'old/same.txt': 'equal', 'old/other.txt': 'mine', 'new/other.txt': 'foe!' })
    const second = await rename(t.admin, `${m}/old/`, `${m}/new/`)
    expect(second.body.error?.code).toBe('fs.partly_done')
    expect(await names(t.storage)).toEqual(['new/more.txt', 'new/other.txt', 'new/same.txt', 'old/other.txt'])
    expect([await t.storage.text('new/other.txt'), await t.storage.text('old/other.txt')]).toEqual([
      'foe!',
      'mine',
    ])
  })

  test('a write to a source during the move of its folder is moved, not lost', async () => {
    await using t = await startApp()
    await fill(
      t.storage,
      numbered(40, (n) => `old/${n}.txt`),
    )
    let copies = 0
    const written: Promise<void>[] = []
    const mend = await breakCopies(t.storage, (from) => {
      copies += 1
      // Rewrites sources that were already copied, before they are removed.
      if (copies === 30 && t.storage.kind === 's3')
        written.push(t.storage.put('old/0.txt', 'written meanwhile'), t.storage.put('old/1.txt', 'this too'))
      return from === 'never'
    })
    const answer = await rename(t.admin, `${m}/old/`, `${m}/new/`)
    await Promise.all(written)
    mend()
    expect(answer.status).toBe(200)
    const texts = await Promise.all(
      (await names(t.storage)).filter((key) => /\/[01]\.txt$/.test(key)).map((key) => t.storage.text(key)),
    )
    if (t.storage.kind === 's3') expect(texts.sort()).toEqual(['this too', 'written meanwhile'])
  })

  test('a folder that contains a mount is not moved', async () => {
    await using t = await startApp()
    await fill(t.storage, { 'd/1.txt': '1', 'd/in/hidden.txt': 'hidden' })
    await using other = await addS3Mount(t, { mountPath: `${m}/d/in` })
    await other.put('shown.txt', 'shown')
    for (const answer of [
      await rename(t.admin, `${m}/d/`, `${m}/e/`),
      await copy(t.admin, [[`${m}/d/`, `${m}/e`]], { skipExisting: false }),
      await move(t.admin, [[`${m}/d/`, `${m}/e`]]),
      await remove(t.admin, [`${m}/d/`]),
    ])
      expect([answer.text.includes('fs.holds_mount'), answer.text.includes('{mount}')]).toEqual([true, false])
    const [{ error }] = (await remove(t.admin, [`${m}/d/`])).body.data.failed
    expect(error).toContain(`${m}/d/in`)
    expect(await names(t.storage)).toEqual(['d/1.txt', 'd/in/hidden.txt'])
    expect(await names(other)).toEqual(['shown.txt'])
  })

  test('a restarted server resumes a move where it stopped', async () => {
    await using t = await startApp()
    await fill(
      t.storage,
      numbered(60, (n) => `old/${n}.txt`),
    )
    let copies = 0
    const mend = await breakCopies(t.storage, () => {
      copies += 1
      if (copies === 20) void t.ctx.tasks.stop()
      return false
    })
    const first = await rename(t.admin, `${m}/old/`, `${m}/new/`)
    expect(first.status).toBe(202)
    expect(first.body.data.task.state).toBe('pending')
    mend()
    const { db, clock, notices, log } = t.ctx
    const next = new TaskQueue({ db, clock, notices, log })
    next.handle('move', transferHandler(t.ctx, { isMove: true }))
    await next.drain()
    expect(await next.find(first.body.data.task.id)).toMatchObject({ state: 'completed' })
    expect(await names(t.storage)).toHaveLength(60)
    expect(await names(t.storage, 'old/')).toEqual([])
    await next.stop()
  })
})

describeEachDatabase('a folder that was renamed atomically', ({ startApp }) => {
  test('is recognized as renamed after a stop directly after the rename', async () => {
    await using t = await startApp()
    const disk = await localDisk(t)
    await fill(disk, { 'old/a.txt': 'a', 'old/deep/b.txt': 'b' })
    await t.admin.call('GET', '/api/fs/list', { query: { path: '/local/old/' } })
    const driver = (await disk.driver()) as unknown as Record<'moveFolder', (...o: unknown[]) => unknown>
    const { moveFolder } = driver
    driver.moveFolder = async (...input) => {
      await moveFolder(...input)
      void t.ctx.tasks.stop()
      throw new Error('It was stopped.')
    }
    const first = await rename(t.admin, '/local/old/', '/local/new/')
    expect(first.body.data.task.state).toBe('pending')
    driver.moveFolder = moveFolder
    const { db, clock, notices, log } = t.ctx
    const next = new TaskQueue({ db, clock, notices, log })
    next.handle('move', transferHandler(t.ctx, { isMove: true }))
    await next.drain()
    expect(await next.find(first.body.data.task.id)).toMatchObject({ state: 'completed' })
    const indexed = await t.ctx.db.selectFrom('objects').select('key').orderBy('key').execute()
    expect(indexed.map(({ key }) => key)).toEqual(['new/a.txt', 'new/deep/b.txt'])
    await next.stop()
  })
})

describeEachStorage('removing', ({ startApp, mountPath: m, kind }) => {
  test('files and folders are deleted with their shares; missing ones count as deleted', async () => {
    await using t = await startApp()
    await fill(t.storage, {
      'a.txt': 'a',
      'd/1.txt': '1',
      'd/e/2.txt': '2',
      'keep/k.txt': 'k',
      'dd.txt': 'beside',
    })
    const slug = await shareInPlace(t.admin, `${m}/d/s.txt`)
    const answer = await remove(t.admin, [`${m}/a.txt`, `${m}/d/`, `${m}/none.txt`, `${m}/keep/k.txt`])
    expect(answer.body.data).toEqual({ success: 4, failed: [] })
    expect(await t.storage.keys()).toEqual(['dd.txt', 'keep/'])
    expect((await t.visitor.call('GET', `/api/public/files/${slug}`)).status).toBe(404)
  })

  test('a removal creates no folder, and removes an empty folder that is named in the request', async () => {
    await using t = await startApp()
    for (const [paths, left] of [
      [
        ['ghost/a/b.txt', 'ghost/c/'],
        ['x/d/a', 'x/d/b'],
      ],
      [['x/d/', 'x/d/a'], ['x/']],
      [['x/d/a', 'x/d/'], ['x/']],
      [['x/d/', 'x/d/none'], ['x/']],
      [['x/d/a', 'x/d/b'], ['x/d/']],
      [['x/', 'x/d/', 'x/d/a'], []],
    ] as const) {
      await fill(t.storage, { 'x/d/a': 'a', 'x/d/b': 'b' })
      const answer = await remove(
        t.admin,
        paths.map((path) => `${m}/${path}`),
      )
      expect([paths, answer.body.data.failed]).toEqual([paths, []])
      expect([paths, await t.storage.keys()]).toEqual([paths, left])
      await remove(t.admin, [`${m}/x/`])
    }
  })

  test('each path is removed from its own storage; failures are named, and a forbidden path stops the request', async () => {
    await using t = await startApp()
    const disk = await localDisk(t)
    await disk.put('on-disk.txt', 'x')
    await fill(t.storage, { 'p/a.txt': 'a', 'b.txt': 'b' })
    const key = await t.keyClient({ mount_permission: true, basic_path: `${m}/p` })
    const outside = await remove(key, [`${m}/p/a.txt`, `${m}/b.txt`])
    expect([outside.status, outside.body.error.code]).toEqual([403, 'auth.path_forbidden'])
    expect(await names(t.storage, 'p/')).toEqual(['p/a.txt'])
    const mixed = await remove(t.admin, ['/nowhere/x', `${m}/b.txt`, '/local/on-disk.txt', `${m}/`])
    expect(mixed.body.data.success).toBe(2)
    expect(mixed.body.data.failed.map((f: { path: string; code: string }) => [f.path, f.code])).toEqual([
      ['/nowhere/x', 'fs.no_mount'],
      [`${m}/`, 'fs.not_operable'],
    ])
    expect(mixed.body.failed).toEqual(mixed.body.data.failed)
    expect(await names(disk)).not.toContain('on-disk.txt')
    const reader = await t.keyClient({ mount_permission: true, mount_read_only: true })
    expect((await remove(reader, [`${m}/p/a.txt`])).body.error.code).toBe('fs.read_only')
  })

  const many = manyOn(kind, 1100, 250)
  test(`${many} files are removed in batches`, async () => {
    await using t = await startApp()
    await shortenPages(t.storage)
    const entries = numbered(many, (n) => `many/${n}.txt`)
    await fill(t.storage, entries)
    const answer = await remove(
      t.admin,
      Object.keys(entries).map((key) => `${m}/${key}`),
    )
    expect(answer.body.data).toEqual({ success: many, failed: [] })
    expect(await t.storage.keys()).toEqual(['many/'])
  })
})

describeEachStorage('copying in one storage', ({ startApp, mountPath: m }) => {
  test('a taken name is numbered, skipped or replaced as requested', async () => {
    await using t = await startApp()
    await fill(t.storage, {
      'a.txt': 'new',
      'd/a.txt': 'old',
      'd/a(1).txt': 'old 1',
      'f/1.txt': '1',
      'd/f/2.txt': '2',
    })
    const skipped = await copy(t.admin, [[`${m}/a.txt`, `${m}/d/a.txt`]])
    expect(skipped.body.data).toMatchObject({ crossStorage: false, success: 0, skipped: 1, failed: 0 })
    const renamed = await copy(
      t.admin,
      [
        [`${m}/a.txt`, `${m}/d/a.txt`],
        [`${m}/f/`, `${m}/d/f`],
      ],
      { skipExisting: false },
    )
    // The count includes the file, the folder and the file in the folder.
    expect(renamed.body.data).toMatchObject({ crossStorage: false, success: 3, failed: 0, details: [] })
    expect(await names(t.storage)).toEqual(
      ['a.txt', 'd/a.txt', 'd/a(1).txt', 'd/a(2).txt', 'd/f/2.txt', 'd/f(1)/1.txt', 'f/1.txt'].sort(),
    )
    const merged = await copy(t.admin, [[`${m}/f/`, `${m}/d/f/`]], { skipExisting: true })
    expect(merged.body.data).toMatchObject({ success: 1, skipped: 0 })
    expect(await t.storage.text('d/f/1.txt')).toBe('1')
    await copy(t.admin, [[`${m}/a.txt`, `${m}/d/a.txt`]], { conflict: 'overwrite' })
    expect(await t.storage.text('d/a.txt')).toBe('new')
    expect(await t.storage.text('a.txt')).toBe('new')
  })

  test('an item without source or target fails by itself', async () => {
    await using t = await startApp()
    await fill(t.storage, { 'a.txt': 'a' })
    for (const url of ['/api/fs/batch-copy', '/api/fs/batch-move']) {
      const items = [{ sourcePath: `${m}/a.txt` }, { targetPath: `${m}/b.txt` }, { sourcePath: null }]
      const named = { sourcePath: `${m}/a.txt`, targetPath: `${m}${url}.txt` }
      const { status, body } = await t.admin.call('POST', url, { body: { items: [...items, named] } })
      expect([status, body.data.success, body.data.failed]).toEqual([200, 1, 3])
      expect(body.data.details.map(({ code }: { code: string }) => code)).toEqual(
        Array.from({ length: 3 }, () => 'fs.path_missing'),
      )
      const none = await t.admin.call('POST', url, { body: { items } })
      expect([none.status, none.body.data]).toMatchObject([200, { success: 0, failed: 3 }])
    }
  })

  test('a new folder counts once in addition to its objects, with or without a marker', async () => {
    await using t = await startApp()
    await fill(t.storage, { 'plain/1.txt': '1', 'plain/2.txt': '2', 'made/': '', 'made/1.txt': '1' })
    for (const [folder, success] of [
      ['plain', 3],
      ['made', 2],
    ] as const) {
      const answer = await copy(t.admin, [[`${m}/${folder}/`, `${m}/to/${folder}`]], { skipExisting: false })
      expect([folder, answer.body.data.success]).toEqual([folder, success])
    }
  })

  test('failures are counted and named, the rest is copied; HTTP 200', async () => {
    await using t = await startApp()
    await fill(t.storage, { 'a.txt': 'a', 'b.txt': 'b', 'd/x.txt': 'x' })
    const answer = await copy(
      t.admin,
      [
        [`${m}/a.txt`, `${m}/c.txt`],
        [`${m}/none.txt`, `${m}/e.txt`],
        [`${m}/d/`, `${m}/d/inside/`],
      ],
      { skipExisting: false },
    )
    expect(answer.status).toBe(200)
    expect(answer.body.data).toMatchObject({ success: 1, failed: 2 })
    expect(answer.body.data.details.map((d: { code: string }) => d.code)).toEqual([
      'fs.not_found',
      'fs.into_itself',
    ])
  })

  test('a resumed copy keeps the requested handling of taken names', async () => {
    await using t = await startApp()
    await fill(
      t.storage,
      numbered(30, (n) => `src/${n}.txt`),
    )
    await fill(t.storage, { 'skip/5.txt': 'mine', 'over/5.txt': 'mine' })
    for (const [target, options, text] of [
      ['skip', { skipExisting: true }, 'mine'],
      ['over', { conflict: 'overwrite' }, 'content of 5'],
    ] as const) {
      let copies = 0
      let cancelled: Promise<void> | undefined
      const mend = await breakCopies(t.storage, async () => {
        copies += 1
        if (copies >= 12) await (cancelled ??= cancelAll(t))
        return false
      })
      await copy(t.admin, [[`${m}/src/`, `${m}/${target}`]], options)
      mend()
      const [task] = (await t.admin.call('GET', '/api/tasks?state=cancelled')).body.data.tasks
      await t.admin.call('POST', `/api/tasks/${task.id}/retry`)
      await t.ctx.tasks.drain()
      const ended = (await t.admin.call('GET', `/api/tasks/${task.id}`)).body.data
      expect([ended.state, ended.failures]).toEqual(['completed', []])
      expect(await names(t.storage, `${target}/`)).toHaveLength(30)
      expect(await t.storage.text(`${target}/5.txt`)).toBe(text)
    }
  })

  test('a running copy stops when it is cancelled, and resumes when it is retried', async () => {
    await using t = await startApp()
    const sources = numbered(40, (n) => `src/${n}.txt`)
    await fill(t.storage, sources)
    let copies = 0
    let cancelled: Promise<void> | undefined
    const mend = await breakCopies(t.storage, async () => {
      copies += 1
      if (copies >= 9) await (cancelled ??= cancelAll(t))
      return false
    })
    const answer = await copy(t.admin, [[`${m}/src/`, `${m}/dst`]], { skipExisting: false })
    expect(answer.status).toBe(200)
    mend()
    const [task] = (await t.admin.call('GET', '/api/tasks')).body.data.tasks
    expect(task.state).toBe('cancelled')
    const there = (await names(t.storage, 'dst/')).length
    expect(answer.body).toMatchObject({
      success: false,
      message: 'The task was canceled. What was already done is kept.',
      data: { success: there, task: { id: task.id, state: 'cancelled' } },
    })
    expect(there).toBeGreaterThan(0)
    expect(there).toBeLessThan(40)
    expect((await t.admin.call('POST', `/api/tasks/${task.id}/retry`)).status).toBe(200)
    await t.ctx.tasks.drain()
    const sizeBytes = Object.values(sources).join('').length
    expect((await t.admin.call('GET', `/api/tasks/${task.id}`)).body.data).toMatchObject({
      state: 'completed',
      progress: { doneItems: 40, doneBytes: sizeBytes },
    })
    expect(await names(t.storage, 'dst/')).toHaveLength(40)
  })
})

describeEachStorage('cancelled while its request waits', ({ startApp, mountPath: m }) => {
  test('a move, a rename and a removal report the cancellation', async () => {
    await using t = await startApp()
    const cancelled = { success: false, data: { task: { state: 'cancelled' } } }
    await fill(
      t.storage,
      numbered(20, (n) => `src/${n}.txt`),
    )
    async function whileCancelling<T>(call: () => Promise<T>): Promise<T> {
      let once: Promise<void> | undefined
      const mend = await breakCopies(t.storage, async () => {
        await (once ??= cancelAll(t))
        return false
      })
      const answer = await call()
      mend()
      return answer
    }
    const moved = await whileCancelling(() => move(t.admin, [[`${m}/src/`, `${m}/dst`]]))
    expect([moved.status, moved.body]).toMatchObject([200, cancelled])
    const renamed = await whileCancelling(() => rename(t.admin, `${m}/src/`, `${m}/other/`))
    expect([renamed.status, renamed.body.error.code]).toEqual([409, 'task.cancelled'])
    const driver = (await t.storage.driver()) as { remove: (...args: unknown[]) => unknown }
    const whole = driver.remove
    driver.remove = async (...args) => {
      await cancelAll(t)
      return whole(...args)
    }
    const removed = await remove(t.admin, [`${m}/src/`])
    driver.remove = whole
    expect([removed.status, removed.body]).toMatchObject([200, cancelled])
    expect(removed.body.data.failed).toEqual([])
  })
})

async function cancelAll(t: StorageTestApp): Promise<void> {
  for (const { id } of (await t.admin.call('GET', '/api/tasks?state=running')).body.data.tasks)
    await t.admin.call('POST', `/api/tasks/${id}/cancel`)
}

/** Carries out a planned copy as a client does: reads and writes the URLs, and commits. */
async function copyByHand(t: StorageTestApp, data: AcrossAnswer) {
  const at = async (method: 'GET' | 'PUT', address: string, body?: Buffer): Promise<Buffer> => {
    if (method === 'GET') {
      const { status, bytes } = await readAddress(t.visitor, address)
      expect([address, status]).toEqual([address, 200])
      return bytes
    }
    if (address.startsWith('http://localhost')) {
      const { pathname, search } = new URL(address)
      const answer = await t.visitor.call(
        method,
        pathname + search,
        body ? { payload: body, headers: { 'content-type': 'application/octet-stream' } } : {},
      )
      expect([address, answer.status]).toEqual([address, 200])
      return answer.bytes
    }
    const answer = await fetch(address, { method, ...(body ? { body: new Uint8Array(body) } : {}) })
    expect([address, answer.status]).toEqual([address, 200])
    return Buffer.from(await answer.arrayBuffer())
  }
  const files = []
  for (const result of data.crossStorageResults) {
    for (const one of result.isDirectory ? result.items : [result]) {
      await at('PUT', one.uploadUrl, await at('GET', one.downloadUrl))
      const folder = one.relativeDir ? `${one.relativeDir}/` : ''
      files.push({
        targetPath: result.isDirectory ? `${result.target}${folder}${one.fileName}` : result.target,
        s3Path: one.targetKey ?? one.targetS3Path,
        contentType: one.contentType,
      })
    }
  }
  const targetMountId = data.crossStorageResults[0]?.targetMount
  return t.admin.call('POST', '/api/fs/batch-copy-commit', { body: { targetMountId, files } })
}

interface AcrossFile {
  downloadUrl: string
  uploadUrl: string
  fileName: string
  contentType: string
  relativeDir?: string
  targetKey?: string
  targetS3Path?: string
}

interface AcrossAnswer {
  crossStorageResults: Array<
    AcrossFile & { isDirectory: boolean; items: AcrossFile[]; target: string; targetMount: string }
  >
}

describe.skipIf(inject('s3Gateway') === null)('between storages', () => {
  describeEachStorage('by the client', ({ startApp, mountPath: m }) => {
    test('every object has a URL to read and one to write; the commit checks the objects', async () => {
      await using t = await startApp()
      await using other = await addS3Mount(t, { mountPath: '/other' })
      await fill(t.storage, { 'd/1.txt': 'one', 'd/照 片/2 #.txt': 'two', 'a.txt': 'a' })
      await other.put('a.txt', 'taken')
      for (const [from, to, back] of [
        [m, '/other', other],
        ['/other', m, t.storage],
      ] as const) {
        const answer = await copy(
          t.admin,
          [
            [`${from}/d/`, `${to}/copied`],
            [`${from}/a.txt`, `${to}/a.txt`],
          ],
          { skipExisting: false },
        )
        expect(answer.body).toMatchObject({
          success: true,
          data: {
            crossStorage: true,
            requiresClientSideCopy: true,
            failed: [],
            standardCopyResults: { success: 0, skipped: 0, failed: 0 },
            crossStorageResults: [
              {
                isDirectory: true,
                target: `${to}/copied/`,
                renamed: false,
                items: [{ relativeDir: '' }, { relativeDir: '照 片' }],
              },
              {
                isDirectory: false,
                target: `${to}/a(1).txt`,
                renamed: true,
                originalTarget: `${to}/a.txt`,
                targetS3Path: 'a(1).txt',
              },
            ],
          },
        })
        const commit = await copyByHand(t, answer.body.data)
        expect(commit.body).toMatchObject({ code: 200, success: true, data: { failed: [] } })
        expect(await back.text('copied/照 片/2 #.txt')).toBe('two')
        if (to === '/other') await fill(other, { 'd/1.txt': 'one', 'd/照 片/2 #.txt': 'two' })
      }
    })

    test('the commit reports and counts objects beyond the capacity', async () => {
      await using t = await startApp()
      await using other = await addS3Mount(t, { mountPath: '/other' })
      const limit = (total_storage_bytes: number) =>
        t.admin.call('PUT', `/api/s3-configs/${other.configId}`, { body: { total_storage_bytes } })
      const commit = async (key: string) => {
        const files = [{ targetPath: `/other/${key}`, s3Path: key }]
        const body = { targetMountId: other.mountId, files }
        return (await t.admin.call('POST', '/api/fs/batch-copy-commit', { body })).body.data
      }
      expect((await limit(100)).status).toBe(200)
      await other.put('fits.bin', Buffer.alloc(80))
      for (const _ of ['once', 'again']) expect((await commit('fits.bin')).failed).toEqual([])
      await other.put('beyond.bin', Buffer.alloc(80))
      expect((await commit('beyond.bin')).failed).toMatchObject([{ code: 'file.storage_full' }])
      await limit(160)
      expect((await commit('beyond.bin')).failed).toEqual([])
      expect(
        (await t.admin.call('PUT', '/api/fs/upload', { query: { path: '/other/x' }, payload: 'x' })).body,
      ).toMatchObject({
        error: { code: 'file.storage_full' },
      })
      expect(await other.keys()).toEqual(['beyond.bin', 'fits.bin'])
    })

    test('what a copy replaces makes room for it', async () => {
      await using t = await startApp()
      await using other = await addS3Mount(t, { mountPath: '/other' })
      await t.admin.call('PUT', `/api/s3-configs/${other.configId}`, { body: { total_storage_bytes: 100 } })
      for (const name of ['a.bin', 'b.bin']) {
        const query = { path: `/other/${name}` }
        await t.admin.call('PUT', '/api/fs/upload', { query, payload: Buffer.alloc(45) })
      }
      await fill(t.storage, { 'a.bin': 'a'.repeat(50), 'b.bin': 'b'.repeat(50), 'c.bin': 'c' })
      const pairs = ['a.bin', 'b.bin', 'c.bin'].map((name): [string, string] => [
        `${m}/${name}`,
        `/other/${name}`,
      ])
      const answer = await copy(t.admin, pairs, { conflict: 'overwrite' })
      expect(answer.body.data.crossStorageResults).toHaveLength(2)
      expect(answer.body.data.details).toMatchObject([
        { sourcePath: `${m}/c.bin`, code: 'file.storage_full' },
      ])
    })

    test('a commit of a missing object, or of another key, is refused', async () => {
      await using t = await startApp()
      await using other = await addS3Mount(t, { mountPath: '/other' })
      await other.put('there.txt', 'x')
      const commit = await t.admin.call('POST', '/api/fs/batch-copy-commit', {
        body: {
          targetMountId: other.mountId,
          files: [
            { targetPath: '/other/none.txt', s3Path: 'none.txt' },
            { targetPath: '/other/x.txt', s3Path: 'there.txt' },
          ],
        },
      })
      expect(commit.body).toMatchObject({ code: 202, success: false, data: { success: [] } })
      expect(commit.body.data.failed.map((f: { code: string }) => f.code)).toEqual([
        'fs.not_found',
        'fs.key_mismatch',
      ])
      expect(commit.body.message).toBe(commit.body.data.failed[0].error)
      expect(commit.body.data.failed[1].error).toBe(
        'The object there.txt does not belong to this path, whose object is x.txt.',
      )
      // An API key can only commit below its base path, and only to mounts that it can see.
      const key = await t.keyClient({ mount_permission: true, basic_path: `${m}/in` })
      await fill(t.storage, { 'in/a.txt': 'a' })
      const commitAs = async (targetMountId: string, targetPath: string, s3Path: string) => {
        const body = { targetMountId, files: [{ targetPath, s3Path }] }
        return (await key.call('POST', '/api/fs/batch-copy-commit', { body })).body.error?.code
      }
      expect(await commitAs(other.mountId, '/other/there.txt', 'there.txt')).toBe('auth.path_forbidden')
      expect(await commitAs(other.mountId, `${m}/in/a.txt`, 'in/a.txt')).toBe('fs.no_mount')
      expect(await commitAs(t.storage.mountId, `${m}/in/a.txt`, 'in/a.txt')).toBeUndefined()
    })
  })

  describeEachStorage('from a storage to a bucket', ({ startApp, mountPath: m }) => {
    test('the server streams on request; a move removes the source and moves the share', async () => {
      await using t = await startApp()
      await using other = await addS3Mount(t, { mountPath: '/other' })
      await fill(t.storage, { 'd/1.txt': 'one', 'd/e/2.txt': 'two', 'd/empty/': '', 'z.bin': 'z' })
      const slug = await shareInPlace(t.admin, `${m}/d/s.txt`, 'shared')
      const copied = await copy(t.admin, [[`${m}/d/`, '/other/d']], { server: true, skipExisting: false })
      expect(copied.body.data).toMatchObject({ crossStorage: false, failed: 0, skipped: 0 })
      expect(await other.keys()).toEqual(
        expect.arrayContaining(['d/1.txt', 'd/e/2.txt', 'd/empty/', 'd/s.txt']),
      )
      expect(await other.text('d/e/2.txt')).toBe('two')
      const moved = await move(t.admin, [[`${m}/d/`, '/other/moved/']])
      expect(moved.body.data).toMatchObject({ failed: 0, details: [] })
      expect(await names(t.storage)).toEqual(['z.bin'])
      expect(await other.text('moved/e/2.txt')).toBe('two')
      const seen = await t.visitor.call('GET', `/api/file-download/${slug}`)
      expect([seen.status, seen.text]).toEqual([200, 'shared'])
    })

    test('a move does not replace an existing file, and keeps its source', async () => {
      await using t = await startApp()
      await using other = await addS3Mount(t, { mountPath: '/other' })
      await t.storage.put('a.txt', 'mine')
      await other.put('a.txt', 'theirs')
      const answer = await move(t.admin, [[`${m}/a.txt`, '/other/a.txt']])
      expect(answer.body.data).toMatchObject({ success: 0, failed: 1 })
      expect([await t.storage.text('a.txt'), await other.text('a.txt')]).toEqual(['mine', 'theirs'])
    })
  })
})
