import { expect, test } from 'vitest'
import {
  openBundle,
  publishBundle,
  putObject,
  readBundle,
  shareBundle,
  ticketFor,
} from '../../../../testing/bundles.ts'
import { describeEachStorage, type StorageTestApp } from '../../../../testing/storages.ts'
import { unpack } from '../../../../testing/zip.ts'

const into = (t: StorageTestApp) => ({ configId: t.storage.configId })

/** Creates a bundle with a page, an uploaded file in a folder, a reference and a live folder. */
async function everyKind(t: StorageTestApp, settings: object = {}) {
  const m = t.storage.mountPath
  await t.storage.put('docs/ref.txt', 'referenced')
  await t.storage.put('photos/in.txt', 'inside')
  await t.storage.put('photos/sub/deep.txt', 'deep')
  await t.storage.put('secret.txt', 'outside')
  return shareBundle(
    t.admin,
    {
      title: 'All of it',
      page: { text: '# Hello' },
      texts: ['uploaded'],
      ...into(t),
      items: [
        { path: 'up/a.txt', source: { object: 0 } },
        { path: 'ref.txt', source: { ref: { path: `${m}/docs/ref.txt` } } },
        { path: 'live', source: { folder: { path: `${m}/photos` } } },
      ],
    },
    settings,
  )
}

describeEachStorage('reading a bundle', ({ startApp }) => {
  test('opening returns the page and the items, and the ticket reads every kind of item', async () => {
    await using t = await startApp()
    const { slug } = await everyKind(t)
    const opened = await openBundle(t, slug)
    expect(opened.status).toBe(200)
    expect(opened.headers['cache-control']).toBe('no-store')
    const { ticket, manifest, views } = opened.body.data
    expect(views).toBe(1)
    expect(manifest.page).toEqual({ type: 'text/markdown', text: '# Hello' })
    expect(manifest.items.map((item: { kind: string; path: string }) => [item.kind, item.path])).toEqual([
      ['file', 'up/a.txt'],
      ['file', 'ref.txt'],
      ['folder', 'live'],
    ])
    expect(opened.text).not.toContain(t.storage.mountPath)
    const texts = ['up/a.txt', 'ref.txt', 'live/in.txt', 'live/sub/deep.txt']
    const read = await Promise.all(texts.map((path) => readBundle(t, { slug, ticket }, 'file', { path })))
    expect(read.map(({ text }) => text)).toEqual(['uploaded', 'referenced', 'inside', 'deep'])
    expect(read.map(({ headers }) => headers['content-security-policy']?.includes('sandbox'))).toEqual(
      texts.map(() => true),
    )
  })

  test('a range request gets its range, and HEAD gets no bytes', async () => {
    await using t = await startApp()
    const { slug } = await everyKind(t)
    const ticket = await ticketFor(t, slug)
    for (const path of ['up/a.txt', 'ref.txt', 'live/in.txt']) {
      const query = { ticket, path }
      const part = await t.visitor.call('GET', `/api/bundles/${slug}/file`, {
        query,
        headers: { range: 'bytes=2-3' },
      })
      expect([part.status, part.text.length]).toEqual([206, 2])
    }
  })

  test('folders of items and live folders are listed in pages', async () => {
    await using t = await startApp()
    const { slug } = await everyKind(t)
    const ticket = await ticketFor(t, slug)
    const list = async (query: Record<string, string>) =>
      (await readBundle(t, { slug, ticket }, 'list', query)).body.data
    const names = ({ items }: { items: Array<{ path: string }> }) => items.map(({ path }) => path)
    expect(names(await list({}))).toEqual(['live', 'up', 'ref.txt'])
    expect(names(await list({ path: 'live' }))).toEqual(['live/sub', 'live/in.txt'])
    expect(names(await list({ path: 'live/sub/' }))).toEqual(['live/sub/deep.txt'])
    const first = await list({ limit: '2' })
    expect(names(first)).toEqual(['live', 'up'])
    expect(names(await list({ limit: '2', cursor: first.next_cursor }))).toEqual(['ref.txt'])
    expect(names(await list({ search: 'DEEP' }))).toEqual(['live/sub/deep.txt'])
    const errors = await Promise.all(
      [{ path: 'nothing' }, { path: 'ref.txt' }, { path: 'live/nothing' }].map((query) =>
        readBundle(t, { slug, ticket }, 'list', query as Record<string, string>),
      ),
    )
    expect(errors.map(({ body }) => body.error.code)).toEqual([
      'bundle.item_not_found',
      'bundle.item_kind',
      'bundle.item_not_found',
    ])
  })

  test('the whole bundle or a selection is sent as one archive', async () => {
    await using t = await startApp()
    const { slug } = await everyKind(t)
    const ticket = await ticketFor(t, slug)
    const whole = await t.visitor.call('GET', `/api/bundles/${slug}/archive`, { query: { ticket } })
    expect(whole.headers['content-disposition']).toContain('All of it.zip')
    expect(await unpack(whole.bytes)).toMatchObject({
      'All of it.md': '# Hello',
      'up/a.txt': 'uploaded',
      'ref.txt': 'referenced',
      'live/in.txt': 'inside',
      'live/sub/deep.txt': 'deep',
    })
    const asked = await t.visitor.call('POST', `/api/bundles/${slug}/archive`, {
      body: { ticket, paths: ['live/sub', 'up/a.txt', 'live/in.txt'] },
    })
    const { pathname } = new URL(asked.body.data.url)
    expect(await unpack((await t.visitor.call('GET', pathname)).bytes)).toEqual({
      'sub/deep.txt': 'deep',
      'a.txt': 'uploaded',
      'in.txt': 'inside',
    })
    expect((await t.visitor.call('GET', pathname)).body.error.code).toBe('fs.ticket_invalid')
  })

  test('a missing file is named in an archive of several items, and refused if requested alone', async () => {
    await using t = await startApp()
    const m = t.storage.mountPath
    await t.storage.put('docs/ref.txt', 'referenced')
    await t.storage.put('photos/in.txt', 'inside')
    const { slug } = await shareBundle(t.admin, {
      page: { text: '# Hello' },
      items: [
        { path: 'all/ref.txt', source: { ref: { path: `${m}/docs/ref.txt` } } },
        { path: 'all/live', source: { folder: { path: `${m}/photos` } } },
      ],
    })
    const ticket = await ticketFor(t, slug)
    const archive = (path: string) => readBundle(t, { slug, ticket }, 'archive', { path })
    const asked = (paths: string[]) =>
      t.visitor.call('POST', `/api/bundles/${slug}/archive`, { body: { ticket, paths } })
    const refusals = async (...paths: string[]) =>
      Promise.all(
        paths
          .flatMap((path) => [archive(path), asked([path])])
          .map(async (answer) => {
            const { status, body } = await answer
            return [status, body?.error?.code]
          }),
      )
    const missing = [404, 'bundle.item_not_found']
    expect(await refusals('all/live/nope', 'all/live/nope/')).toEqual([missing, missing, missing, missing])
    expect(await unpack((await archive('all/live')).bytes)).toEqual({ 'live/in.txt': 'inside' })
    await t.storage.remove('docs/ref.txt', 'photos/in.txt', 'photos/')
    const gone = [410, 'bundle.item_gone']
    expect(await refusals('all/live', 'all/ref.txt')).toEqual([gone, gone, gone, gone])
    const { pathname } = new URL((await asked(['all/live', 'all/ref.txt', 'all'])).body.data.url)
    const reports = await Promise.all(
      [archive(''), archive('all'), t.visitor.call('GET', pathname)].map(async (answer) => {
        const { 'archive-report.txt': report, ...files } = await unpack((await answer).bytes)
        return [
          Object.keys(files),
          report
            ?.trimEnd()
            .split('\n')
            .map((line) => line.split(':')[0])
            .sort(),
        ]
      }),
    )
    expect(reports).toEqual([
      [['page.md'], ['all/live', 'all/ref.txt']],
      [[], ['all/live', 'all/ref.txt']],
      [[], ['all/live', 'all/ref.txt']],
    ])
  })

  test('a program that requests the link gets one URL per line, and can download each of them', async () => {
    await using t = await startApp()
    const { slug } = await everyKind(t)
    const plain = await t.visitor.call('GET', `/s/${slug}`, { headers: { accept: 'text/plain' } })
    expect([plain.status, plain.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const lines = plain.text.trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    const bodies = await Promise.all(
      lines.map(async (line) => {
        const { pathname, search } = new URL(line)
        return (await t.visitor.call('GET', pathname + search)).text
      }),
    )
    expect(bodies.slice(0, 3)).toEqual(['# Hello', 'uploaded', 'referenced'])
  })

  test('a ticket reads only its own revision, and cannot be forged', async () => {
    await using t = await startApp()
    const { id, slug } = await shareBundle(t.admin, {
      texts: ['first'],
      items: [{ path: 'a.txt', source: { object: 0 } }],
      ...into(t),
    })
    const old = await ticketFor(t, slug)
    expect((await putObject(t.admin, { id }, { n: 1, bytes: 'second', ...into(t) })).status).toBe(201)
    const items = [{ path: 'a.txt', source: { object: 1 } }]
    expect((await publishBundle(t.admin, { id }, { items, expected: 1 })).status).toBe(201)
    const ticket = await ticketFor(t, slug)
    const read = async (one: string) =>
      (await readBundle(t, { slug, ticket: one }, 'file', { path: 'a.txt' })).text
    expect([await read(old), await read(ticket)]).toEqual(['first', 'second'])
    expect((await readBundle(t, { slug, ticket: old }, 'current')).body.data).toEqual({ revision: 2 })
    const forged = [ticket.replace(/^2/, '1'), ticket.replace(/^2/, '3'), `${ticket}x`, '2.9999999999.x', 'x']
    const refused = await Promise.all(forged.map((one) => readBundle(t, { slug, ticket: one }, 'list')))
    expect(refused.map(({ body }) => body.error.code)).toEqual(forged.map(() => 'bundle.ticket_invalid'))
    t.clock.advance({ seconds: 6 * 3600 + 1 })
    expect((await readBundle(t, { slug, ticket }, 'list')).body.error.code).toBe('bundle.ticket_invalid')
  })

  test('a bundle with a view limit asks, opens that many times, and its tickets are valid until it is armed', async () => {
    await using t = await startApp()
    const { id, slug } = await everyKind(t, { max_views: 2 })
    const asked = await t.visitor.call('GET', `/s/${slug}`, { headers: { accept: 'text/plain' } })
    expect([asked.status, asked.text]).toEqual([
      428,
      expect.stringContaining(`/api/opening/bundle/${slug}/take`),
    ])
    expect((await openBundle(t, slug)).body.error.code).toBe('share.ask_first')
    const open = async () => {
      const intent = await t.visitor.call('POST', `/api/opening/bundle/${slug}/intent`)
      t.clock.advance({ seconds: 1 })
      return openBundle(t, slug, { intent: intent.body.data?.intent })
    }
    const first = await open()
    const second = await open()
    expect([first.status, second.status]).toEqual([200, 200])
    const third = await t.visitor.call('POST', `/api/opening/bundle/${slug}/intent`)
    expect(third.body.error.code).toBe('bundle.used_up')
    const { ticket } = first.body.data
    const read = () => readBundle(t, { slug, ticket }, 'file', { path: 'up/a.txt' })
    expect((await read()).text).toBe('uploaded')
    await t.admin.call('POST', `/api/opening/bundle/${id}/arm`)
    expect((await read()).body.error.code).toBe('bundle.ticket_invalid')
    const headers = { 'x-dropleaf-open': 'yes', accept: '*/*' }
    const taken = await t.visitor.call('POST', `/api/opening/bundle/${slug}/take`, { headers })
    expect([taken.status, taken.text.trimEnd().split('\n').length]).toEqual([200, 4])
  })

  test('a password is asked for, and another password ends the tickets', async () => {
    await using t = await startApp()
    const { id, slug } = await everyKind(t, { password: 'open sesame' })
    expect((await openBundle(t, slug)).body.error.code).toBe('bundle.password_missing')
    expect((await openBundle(t, slug, { password: 'no' })).body.error.code).toBe('bundle.password_wrong')
    const ticket = await ticketFor(t, slug, { password: 'open sesame' })
    expect((await readBundle(t, { slug, ticket }, 'list')).status).toBe(200)
    const changed = await t.admin.call('PUT', `/api/bundles/${id}`, { body: { password: 'another' } })
    expect(changed.status).toBe(200)
    expect((await readBundle(t, { slug, ticket }, 'list')).body.error.code).toBe('bundle.ticket_invalid')
  })

  test('a pinned reference is unavailable after its object was replaced, and an unpinned one shows the new object', async () => {
    await using t = await startApp()
    const path = `${t.storage.mountPath}/docs/ref.txt`
    await t.storage.put('docs/ref.txt', 'first')
    const { slug } = await shareBundle(t.admin, {
      items: [
        { path: 'follow.txt', source: { ref: { path, mode: 'follow' } } },
        { path: 'pin.txt', source: { ref: { path, mode: 'pin' } } },
      ],
    })
    const ticket = await ticketFor(t, slug)
    const read = (one: string) => readBundle(t, { slug, ticket }, 'file', { path: one })
    expect([(await read('follow.txt')).text, (await read('pin.txt')).text]).toEqual(['first', 'first'])
    await t.storage.put('docs/ref.txt', 'another')
    expect((await read('follow.txt')).text).toBe('another')
    expect((await read('pin.txt')).body.error.code).toBe('bundle.item_gone')
  })

  test('references and live folders are unavailable after their owner loses the permission, and the other items remain', async () => {
    await using t = await startApp()
    const m = t.storage.mountPath
    await t.storage.put('photos/in.txt', 'inside')
    const key = await t.keyClient({
      mount_permission: true,
      file_permission: true,
      basic_path: `${m}/photos`,
    })
    const { slug } = await shareBundle(key, {
      texts: ['uploaded'],
      ...into(t),
      items: [
        { path: 'a.txt', source: { object: 0 } },
        { path: 'ref.txt', source: { ref: { path: `${m}/photos/in.txt` } } },
        { path: 'live', source: { folder: { path: `${m}/photos` } } },
      ],
    })
    const ticket = await ticketFor(t, slug)
    const codes = async () =>
      Promise.all(
        ['a.txt', 'ref.txt', 'live/in.txt'].map(async (path) => {
          const { status, body } = await readBundle(t, { slug, ticket }, 'file', { path })
          return body?.error?.code ?? status
        }),
      )
    expect(await codes()).toEqual([200, 200, 200])
    const keys = await t.admin.call('GET', '/api/admin/api-keys')
    const own = keys.body.data.find(({ basic_path }: { basic_path: string }) => basic_path === `${m}/photos`)
    const narrowed = await t.admin.call('PUT', `/api/admin/api-keys/${own.id}`, {
      body: { basic_path: `${m}/else` },
    })
    expect(narrowed.status).toBe(200)
    expect(await codes()).toEqual([200, 'bundle.item_gone', 'bundle.item_not_found'])
    await t.admin.call('DELETE', `/api/admin/api-keys/${own.id}`)
    expect(await codes()).toEqual([200, 'bundle.item_gone', 'bundle.item_gone'])
  })
})
