import { setImmediate as turn } from 'node:timers/promises'
import { parseStorageKey, type StorageDriver } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import { describeEachDatabase, type TestClient } from '../../../../testing/app.ts'
import {
  describeEachStorage,
  describeOneStorage,
  localDisk,
  storageAt,
  type StorageTestApp,
  type TestStorage,
} from '../../../../testing/storages.ts'
import { putFile } from '../../../../testing/fs.ts'
import { whenWaiting } from '../../../../testing/waiting.ts'
import { openLeases } from '../leases/key-leases.usecases.ts'

const AT_ONCE = 6
const ROUNDS = 3
const ONE_STEP = 'a disk renames in one step, so there is no copy to come in between'

const rename = (client: TestClient, oldPath: string, newPath: string) =>
  client.call('POST', '/api/fs/rename', { body: { oldPath, newPath } })
const batch = (client: TestClient, kind: 'move' | 'copy', sourcePath: string, targetPath: string) =>
  client.call('POST', `/api/fs/batch-${kind}`, {
    body: { items: [{ sourcePath, targetPath }], ...(kind === 'copy' ? { skipExisting: false } : {}) },
  })

const each = Array.from({ length: AT_ONCE }, (_, n) => n)

/** Maps the content of every file under a prefix to the key of the file. */
async function filesByText(t: Pick<StorageTestApp, 'storage'>, prefix: string): Promise<Map<string, string>> {
  const keys = (await t.storage.keys(prefix)).filter((key) => !key.endsWith('/'))
  return new Map(await Promise.all(keys.map(async (key) => [await t.storage.text(key), key] as const)))
}

/** Checks that listing, search and downloads of a folder match the storage. */
async function expectAgreement(t: StorageTestApp, folder: string): Promise<void> {
  const { mountPath: m } = t.storage
  const there = await filesByText(t, `${folder}/`)
  const paths = [...there.values()].map((key) => `${m}/${key}`).sort()
  const list = await t.admin.call('GET', '/api/fs/list', { query: { path: `${m}/${folder}/` } })
  expect(list.body.data.items.map(({ path }: { path: string }) => path).sort()).toEqual(paths)
  const found = await t.admin.call('GET', '/api/fs/search', { query: { q: 'name', limit: '100' } })
  const inFolder = found.body.data.results
    .map(({ path }: { path: string }) => path)
    .filter((path: string) => path.startsWith(`${m}/${folder}/`))
  expect(inFolder.sort()).toEqual(paths)
  for (const [content, key] of there) {
    const got = await t.admin.call('GET', '/api/fs/download', { query: { path: `${m}/${key}` } })
    expect([got.status, got.text]).toEqual([200, content])
  }
}

describeOneStorage('disk', 'many at once', ({ startApp, mountPath: m }) => {
  test('of many files moved to one name one succeeds, and the others are unchanged', async () => {
    await using t = await startApp()
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const kind of ['rename', 'move'] as const) {
        const folder = `${kind}${round}`
        await Promise.all(each.map((n) => t.storage.put(`${folder}/name-${n}.txt`, `text ${n}`)))
        const answers = await Promise.all(
          each.map((n) => {
            const [from, to] = [`${m}/${folder}/name-${n}.txt`, `${m}/${folder}/name.txt`] as const
            return kind === 'rename' ? rename(t.admin, from, to) : batch(t.admin, 'move', from, to)
          }),
        )
        const outcomes = answers.map(({ body }) => body.error?.code ?? body.data.details?.[0]?.code ?? 'done')
        expect(outcomes.sort()).toEqual(['done', ...each.slice(1).map(() => 'fs.exists')])
        const there = await filesByText(t, `${folder}/`)
        expect([...there.keys()].sort()).toEqual(each.map((n) => `text ${n}`))
        expect([...there.values()].filter((key) => key.endsWith('/name.txt'))).toHaveLength(1)
        await expectAgreement(t, folder)
      }
    }
  })

  test('concurrent copies to one name are numbered, each with its own bytes', async () => {
    await using t = await startApp()
    await Promise.all(each.map((n) => t.storage.put(`from/${n}.txt`, `text ${n}`)))
    const answers = await Promise.all(
      each.map((n) => batch(t.admin, 'copy', `${m}/from/${n}.txt`, `${m}/to/name.txt`)),
    )
    for (const { body } of answers) expect(body.data).toMatchObject({ success: 1, failed: 0 })
    const there = await filesByText(t, 'to/')
    expect([...there.keys()].sort()).toEqual(each.map((n) => `text ${n}`))
    expect([...there.values()].sort()).toEqual(
      ['to/name.txt', ...each.slice(1).map((n) => `to/name(${n}).txt`)].sort(),
    )
    await expectAgreement(t, 'to')
  })

  test('of many folders moved to one name one succeeds, and no two are mixed', async () => {
    await using t = await startApp()
    await Promise.all(
      each.flatMap((n) => [
        t.storage.put(`f${n}/own-${n}.txt`, `own ${n}`),
        t.storage.put(`f${n}/same.txt`, `same ${n}`),
      ]),
    )
    const answers = await Promise.all(each.map((n) => rename(t.admin, `${m}/f${n}/`, `${m}/name/`)))
    const winner = answers.findIndex(({ status }) => status === 200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.error?.code === 'fs.exists')).toHaveLength(AT_ONCE - 1)
    const there = await filesByText(t, '')
    expect(there.size).toBe(2 * AT_ONCE)
    expect([there.get(`own ${winner}`), there.get(`same ${winner}`)]).toEqual([
      `name/own-${winner}.txt`,
      'name/same.txt',
    ])
  })

  test('of several moves of one folder one moves it completely', async () => {
    await using t = await startApp()
    const files = Array.from({ length: 30 }, (_, n) => n)
    await Promise.all(files.map((n) => t.storage.put(`folder/${n}.txt`, `text ${n}`)))
    await t.storage.put('file.txt', 'the file')
    for (const [source, target] of [
      ['folder/', (n: number) => `to-${n}/`],
      ['file.txt', (n: number) => `to-${n}.txt`],
    ] as const) {
      const answers = await Promise.all(
        each.map((n) => rename(t.admin, `${m}/${source}`, `${m}/${target(n)}`)),
      )
      const outcomes = answers.map(({ body }) => body.error?.code ?? 'done')
      expect(outcomes.sort()).toEqual(['done', ...each.slice(1).map(() => 'fs.not_found')])
    }
    const there = await filesByText(t, '')
    expect(there.size).toBe(files.length + 1)
    const folders = [...there.values()].filter((key) => key !== there.get('the file'))
    expect(new Set(folders.map((key) => key.slice(0, key.indexOf('/')))).size).toBe(1)
  })
})

describeEachStorage('the last check before a source is removed', ({ startApp, mountPath: m, kind }) => {
  /** Calls `act` after each copy, with the target key. A storage that can rename objects copies nothing. */
  async function afterCopies(t: StorageTestApp, act: (to: string) => Promise<void>): Promise<void> {
    const driver = (await t.storage.driver()) as unknown as Record<'copy', StorageDriver['copy']>
    const whole = driver.copy
    driver.copy = async (from, to, o) => {
      const copy = await whole(from, to, o)
      await act(to)
      return copy
    }
  }

  test('an incomplete copy does not remove its source', async ({ skip }) => {
    skip(kind === 'disk', ONE_STEP)
    await using t = await startApp()
    await t.storage.put('d/whole.txt', 'all of it')
    await t.storage.put('d/cut.txt', 'all of this')
    await t.storage.put('d/lost.txt', 'and this')
    await afterCopies(t, async (to) => {
      if (to.endsWith('/cut.txt')) await t.storage.put(to, 'all')
      if (to.endsWith('/lost.txt')) await (await t.storage.driver()).remove([parseStorageKey(to)])
    })
    const answer = await rename(t.admin, `${m}/d/`, `${m}/e/`)
    expect([answer.status, answer.body.error.code]).toEqual([502, 'fs.partly_done'])
    expect(answer.body.error.details.map((d: { message: string }) => d.message)).toEqual([
      'fs.changed',
      'fs.changed',
    ])
    const there = await filesByText(t, '')
    expect([there.get('all of it'), there.get('all of this'), there.get('and this')]).toEqual([
      'e/whole.txt',
      'd/cut.txt',
      'd/lost.txt',
    ])
  })

  test.each(['copy', 'move'] as const)(
    'a write to a file that is already listed is included in a %s',
    async (work) => {
      await using t = await startApp()
      for (const name of ['d/a.txt', 'd/b.txt']) await t.storage.put(name, 'short')
      const driver = (await t.storage.driver()) as unknown as Record<'copy', StorageDriver['copy']>
      const { copy } = driver
      driver.copy = async (from, to, o) => {
        if (from === 'd/a.txt' && (await t.storage.text(from)) === 'short')
          await t.storage.put(from, 'longer text')
        return copy.call(driver, from, to, o)
      }
      const answer = await batch(t.admin, work, `${m}/d/`, `${m}/e/`)
      expect(answer.body.data).toMatchObject({ failed: 0 })
      const isRenamed = kind === 'disk' && work === 'move'
      expect(await t.storage.text('e/a.txt')).toBe(isRenamed ? 'short' : 'longer text')
      expect((await t.storage.keys('d/')).includes('d/a.txt')).toBe(work === 'copy')
    },
  )

  test('a file written to a name that was just moved is listed and found', async ({ skip }) => {
    skip(kind === 's3', 'a bucket does not rename')
    await using t = await startApp()
    for (const name of ['d/name-a.txt', 'd/name-b.txt']) await putFile(t.admin, `${m}/${name}`, name)
    type Move = NonNullable<StorageDriver['moveFolder']>
    const driver = (await t.storage.driver()) as unknown as Record<'moveFolder', Move>
    const { moveFolder } = driver
    driver.moveFolder = async (from, to, o) => {
      const isMoved = await moveFolder.call(driver, from, to, o)
      await putFile(t.admin, `${m}/d/name-a.txt`, 'new')
      return isMoved
    }
    expect((await batch(t.admin, 'move', `${m}/d/`, `${m}/e/`)).body.data).toMatchObject({ failed: 0 })
    expect([...(await filesByText(t, '')).entries()].sort()).toEqual([
      ['d/name-a.txt', 'e/name-a.txt'],
      ['d/name-b.txt', 'e/name-b.txt'],
      ['new', 'd/name-a.txt'],
    ])
    // Reads the index directly, because a listing would repair it.
    const indexed = await t.ctx.db.selectFrom('objects').select('key').orderBy('key').execute()
    expect(indexed.map(({ key }) => key)).toEqual(['d/name-a.txt', 'e/name-a.txt', 'e/name-b.txt'])
    for (const folder of ['d', 'e']) await expectAgreement(t, folder)
  })

  test('an upload to a target directly after the copy is kept', async ({ skip }) => {
    skip(kind === 'disk', ONE_STEP)
    await using t = await startApp()
    await t.storage.put('a.txt', 'moved')
    await afterCopies(t, (to) => t.storage.put(to, 'sent!'))
    const answer = await rename(t.admin, `${m}/a.txt`, `${m}/b.txt`)
    expect([answer.status, answer.body.error.code]).toEqual([409, 'fs.changed'])
    expect([await t.storage.text('a.txt'), await t.storage.text('b.txt')]).toEqual(['moved', 'sent!'])
  })

  test('an upload to a target between the check and the copy is stored after the copy', async ({ skip }) => {
    skip(kind === 'disk', ONE_STEP)
    await using t = await startApp()
    for (const send of [
      (path: string) => t.admin.call('PUT', '/api/fs/upload', { query: { path }, payload: 'sent!' }),
      (path: string) => t.admin.call('POST', '/api/fs/update', { body: { path, content: 'sent!' } }),
    ]) {
      await t.storage.put('a.txt', 'moved')
      const driver = (await t.storage.driver()) as unknown as Record<'copy', StorageDriver['copy']>
      const whole = driver.copy
      let sent: ReturnType<typeof send> | undefined
      driver.copy = async (from, to, o) => {
        const waiting = whenWaiting(t.ctx)
        sent = send(`${m}/b.txt`)
        await Promise.race([waiting, sent])
        return whole(from, to, { ...o, ifAbsent: false })
      }
      const answer = await rename(t.admin, `${m}/a.txt`, `${m}/b.txt`)
      driver.copy = whole
      expect([answer.status, (await sent)?.body.success]).toEqual([200, true])
      expect(await filesByText(t, '')).toEqual(new Map([['sent!', 'b.txt']]))
      expect(
        (await t.admin.call('DELETE', '/api/fs/batch-remove', { body: { paths: [`${m}/b.txt`] } })).status,
      ).toBe(200)
    }
  })

  test('a source that is rewritten after its copy is copied again, or stays', async ({ skip }) => {
    skip(kind === 'disk', ONE_STEP)
    await using t = await startApp()
    for (const times of [1, 5]) {
      await t.storage.put('d/a.txt', 'before')
      await t.storage.put('d/b.txt', 'other')
      let written = 0
      await afterCopies(t, async (to) => {
        if (to.endsWith('a.txt') && (written += 1) <= times) await t.storage.put('d/a.txt', `now ${written}`)
      })
      const answer = await rename(t.admin, `${m}/d/`, `${m}/to-${times}/`)
      expect(answer.status).toBe(times === 1 ? 200 : 502)
      expect(await t.storage.text(times === 1 ? 'to-1/a.txt' : 'd/a.txt')).toBe(`now ${times === 1 ? 1 : 3}`)
      expect(await t.storage.keys(`to-${times}/b`)).toHaveLength(1)
      expect(await t.storage.keys('d/b')).toEqual([])
    }
  })

  async function secondDisk(t: StorageTestApp): Promise<TestStorage> {
    const config = await t.admin.call('POST', '/api/s3-configs', {
      body: { name: 'Second', provider_type: 'Local disk', bucket_name: 'second' },
    })
    const configId: string = config.body.data.id
    const mount = { name: 'second', storage_type: 'S3', storage_config_id: configId, mount_path: '/second' }
    const { body } = await t.admin.call('POST', '/api/admin/mounts', { body: mount })
    return storageAt(t, { kind: 'disk', mountPath: '/second', mountId: body.data.id, configId })
  }

  /** Moves a folder, and uploads new versions of some files right before the sources are removed. */
  async function sendDuringRemoval(t: StorageTestApp, from: TestStorage, toMountPath: string) {
    await Promise.all(each.map((n) => from.put(`d/${n}.txt`, `old ${n}`)))
    await from.put('stays.txt', 'stays')
    const driver = (await from.driver()) as unknown as Record<'remove', StorageDriver['remove']>
    const whole = driver.remove
    const sent: Array<ReturnType<TestClient['call']>> = []
    driver.remove = async (keys, o) => {
      if (sent.length === 0) {
        const waiting = whenWaiting(t.ctx, 4)
        for (const n of each.slice(0, 4))
          sent.push(
            t.admin.call('PUT', '/api/fs/upload', {
              query: { path: `${from.mountPath}/d/${n}.txt` },
              payload: `new ${n}`,
            }),
          )
        await Promise.race([waiting, Promise.all(sent)])
      }
      return whole(keys, o)
    }
    const answer = await batch(t.admin, 'move', `${from.mountPath}/d/`, `${toMountPath}/moved/`)
    const statuses = (await Promise.all(sent)).map(({ status }) => status)
    driver.remove = whole
    return { answer, statuses }
  }

  test('a write to a file of a folder during the move of the folder is not lost', async () => {
    await using t = await startApp()
    const disk = await localDisk(t)
    const ways: ReadonlyArray<readonly [TestStorage, TestStorage]> =
      kind === 'disk'
        ? [[disk, await secondDisk(t)]]
        : [
            [t.storage, t.storage],
            [t.storage, disk],
            [disk, t.storage],
          ]
    for (const [from, to] of ways) {
      const { answer, statuses } = await sendDuringRemoval(t, from, to.mountPath)
      expect([answer.status, statuses]).toEqual([200, each.slice(0, 4).map(() => 200)])
      const there = [
        ...(await filesByText({ storage: from }, 'd/')).keys(),
        ...(await filesByText({ storage: to }, 'moved/')).keys(),
      ]
      expect(there).toEqual(expect.arrayContaining(each.slice(0, 4).map((n) => `new ${n}`)))
      expect(there).toEqual(expect.arrayContaining(each.slice(4).map((n) => `old ${n}`)))
      const paths = [`${from.mountPath}/d/`, `${to.mountPath}/moved/`]
      await t.admin.call('DELETE', '/api/fs/batch-remove', { body: { paths } })
    }
  })

  test('the index has the same facts about a moved file as the storage', async () => {
    await using t = await startApp()
    await t.storage.put('a.txt', 'moved')
    expect((await rename(t.admin, `${m}/a.txt`, `${m}/b.txt`)).status).toBe(200)
    const stat = await (await t.storage.driver()).stat(parseStorageKey('b.txt'))
    const row = await t.ctx.db
      .selectFrom('objects')
      .select(['etag', 'size_bytes', 'modified_at_ms'])
      .where('key', '=', 'b.txt')
      .executeTakeFirst()
    expect(row).toEqual({
      etag: stat?.etag,
      size_bytes: stat?.sizeBytes,
      modified_at_ms: stat?.modifiedAtMs,
    })
  })
})

describeEachDatabase('leases on names', ({ startApp }) => {
  const name = (key: string) => ({ configId: 'c', key })

  test('a holder gets all of its names or none, and a name has one holder at a time', async () => {
    await using t = await startApp()
    await using mine = openLeases(t.ctx, 'mine')
    await using theirs = openLeases(t.ctx, 'theirs')
    expect(await mine.take([name('a'), name('b'), name('b')])).toBe(true)
    expect(await theirs.take([name('c'), name('b')])).toBe(false)
    expect(await mine.take([name('c'), name('a')])).toBe(true)
    expect(await theirs.take([{ configId: 'other', key: 'a' }])).toBe(true)
    let isThrough = false
    const refused = whenWaiting(t.ctx)
    const waiting = theirs.takeInTurn([name('b')]).then(() => (isThrough = true))
    await refused
    expect(isThrough).toBe(false)
    await mine.releaseAll()
    await waiting
    expect(await mine.take([name('a'), name('c')])).toBe(true)
    expect(await mine.take([name('b')])).toBe(false)
  })

  test('an aborted holder stops waiting', async () => {
    await using t = await startApp()
    await using mine = openLeases(t.ctx, 'mine')
    await using theirs = openLeases(t.ctx, 'theirs')
    await mine.take([name('a')])
    const abort = new AbortController()
    const waiting = theirs.takeInTurn([name('a')], abort.signal)
    abort.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow()
  })

  test('a lease that is granted too late is released', async () => {
    await using t = await startApp()
    await using theirs = openLeases(t.ctx, 'theirs')
    await theirs.take([name('a')])
    const mine = openLeases(t.ctx, 'mine')
    const waiting = mine.takeInTurn([name('a')])
    await mine[Symbol.asyncDispose]()
    await theirs.releaseAll()
    await expect(waiting).rejects.toThrow('ended')
    expect(await theirs.take([name('a')])).toBe(true)
  })

  test('a lease of a dead holder expires, and is immediately available to another run of the same work', async () => {
    await using t = await startApp()
    const dead = openLeases(t.ctx, 'work')
    await dead.take([name('a'), name('b')])
    await using again = openLeases(t.ctx, 'work')
    await using other = openLeases(t.ctx, 'other')
    expect(await again.take([name('a')])).toBe(true)
    expect(await other.take([name('b')])).toBe(false)
    // A dead holder must not release leases that another run has taken over.
    await dead.releaseAll()
    expect(await other.take([name('a')])).toBe(false)
    expect(await other.take([name('b')])).toBe(true)
    t.clock.advance({ seconds: 61 })
    expect(await other.take([name('a')])).toBe(true)
  })

  test('two holders that wait for the same names get all of them one after the other', async () => {
    await using t = await startApp()
    const keys = Array.from({ length: 12 }, (_, n) => `${n}`)
    await using theirs = openLeases(t.ctx, 'theirs')
    await theirs.take(keys.map(name))
    const refused = whenWaiting(t.ctx, 2)
    const both = ['one', 'other'].map(async (owner) => {
      await using holds = openLeases(t.ctx, owner)
      const wish = { keys: owner === 'one' ? keys : keys.toReversed(), waitMs: 60_000 }
      return await holds.duringMost('c', wish, async (isHeld) => keys.filter((key) => !isHeld(key)))
    })
    await refused
    await theirs.releaseAll()
    expect(await Promise.all(both)).toEqual([[], []])
  })

  test('many keys of many storages, leased in any order, never deadlock', async () => {
    await using t = await startApp()
    const keys = Array.from({ length: 1200 }, (_, n) => `k${n}`)
    let running = 0
    const work = async () => {
      running += 1
      expect(running).toBe(1)
      await turn()
      running -= 1
    }
    await Promise.all(
      each.map(async (n) => {
        await using holds = openLeases(t.ctx, `work ${n}`)
        await holds.during('c', { keys: n % 2 === 0 ? keys : keys.toReversed() }, work)
      }),
    )
  })

  test('names that were leased in different orders are released without a deadlock', async () => {
    await using t = await startApp()
    const names = Array.from({ length: 1200 }, (_, n) => name(`k${n}`))
    const halves = [names.slice(600), names.slice(0, 600)]
    await Promise.all(
      each.map(async (n) => {
        for (let round = 0; round < (n === 0 ? 40 : 10); round += 1) {
          await using holds = openLeases(t.ctx, `work ${n}`)
          if (n > 0) await holds.takeInTurn(names)
          else for (const half of halves) await holds.takeInTurn(half)
        }
      }),
    )
    await using next = openLeases(t.ctx, 'next')
    expect(await next.take(names)).toBe(true)
  })
})
