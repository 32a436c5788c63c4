import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { parseStorageKey } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import type { TestClient } from '../../../../testing/app.ts'
import { readAddress } from '../../../../testing/files.ts'
import { download, getEntry, hostilePaths, putFile, shareInPlace } from '../../../../testing/fs.ts'
import { describeEachStorage } from '../../../../testing/storages.ts'

const mountKey = (extra: Record<string, unknown> = {}) => ({ mount_permission: true, ...extra })
const codeOf = (answer: { status: number; body?: { error?: { code: string } } }) => answer.body?.error?.code

describeEachStorage('fs: get and download', ({ startApp, mountPath }) => {
  test('the entry of a file has all fields, and its signed URLs work without a credential', async () => {
    await using t = await startApp()
    await t.storage.put('docs/报告 1.md', '# Hello')
    const { status, body } = await getEntry(t.admin, `${mountPath}/docs/报告 1.md`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      path: `${mountPath}/docs/报告 1.md`,
      name: '报告 1.md',
      isDirectory: false,
      isVirtual: false,
      size: 7,
      contentType: 'text/markdown',
      mount_id: t.storage.mountId,
      storage_type: 'S3',
      etag: expect.stringMatching(/^[^"]+$/),
      modified: expect.stringMatching(/Z$/),
    })
    for (const [address, disposition] of [
      [body.data.preview_url, 'inline'],
      [body.data.download_url, 'attachment'],
    ] as const) {
      const read = await readAddress(t.visitor, address)
      expect(read).toMatchObject({ text: '# Hello', disposition: expect.stringContaining(disposition) })
    }
    const again = await getEntry(t.admin, `${mountPath}/docs/报告 1.md`)
    expect(again.body.data.preview_url).toBe(body.data.preview_url)
    await t.storage.put('docs/报告 1.md', 'changed')
    const changed = await getEntry(t.admin, `${mountPath}/docs/报告 1.md`)
    expect(changed.body.data.etag).not.toBe(body.data.etag)
  })

  test('folders, with a marker or without, mounts and the levels above them are directories', async () => {
    await using t = await startApp()
    await t.storage.put('marked/')
    await t.storage.put('implied/deep/a.txt', 'a')
    const directory = { isDirectory: true, isVirtual: false, size: 0, contentType: 'application/x-directory' }
    for (const path of ['marked', 'marked/', 'implied', 'implied/deep/']) {
      const { body } = await getEntry(t.admin, `${mountPath}/${path}`)
      expect([path, body.data]).toMatchObject([
        path,
        { ...directory, path: `${mountPath}/${path.replace(/\/$/, '')}/`, mount_id: t.storage.mountId },
      ])
    }
    expect((await getEntry(t.admin, mountPath)).body.data).toMatchObject({
      ...directory,
      path: `${mountPath}/`,
    })
    expect((await getEntry(t.admin, '/')).body.data).toMatchObject({
      path: '/',
      isDirectory: true,
      isVirtual: true,
      mount_id: null,
    })
    for (const path of [
      `${mountPath}/nothing`,
      `${mountPath}/implied/deep/a.txt/`,
      '/nowhere',
      `${mountPath}x`,
    ])
      expect([path, codeOf(await getEntry(t.admin, path))]).toEqual([path, 'fs.not_found'])
  })

  test('downloads are sent completely, in ranges or as 304, and are not cached publicly', async () => {
    await using t = await startApp()
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251))
    const { etag } = await putFile(t.admin, `${mountPath}/a.bin`, bytes)
    const whole = await download(t.admin, `${mountPath}/a.bin`)
    expect(whole.status).toBe(200)
    expect(whole.bytes.equals(bytes)).toBe(true)
    expect(whole.headers).toMatchObject({
      'content-length': '300000',
      etag: `"${etag}"`,
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
      'content-disposition': expect.stringContaining('attachment'),
    })
    const part = await download(t.admin, `${mountPath}/a.bin`, { range: 'bytes=10-19' })
    expect([part.status, part.headers['content-range']]).toEqual([206, 'bytes 10-19/300000'])
    expect(part.bytes.equals(bytes.subarray(10, 20))).toBe(true)
    expect((await download(t.admin, `${mountPath}/a.bin`, { range: 'bytes=300000-' })).status).toBe(416)
    const known = await download(t.admin, `${mountPath}/a.bin`, { 'if-none-match': `"${etag}"` })
    expect([known.status, known.text]).toEqual([304, ''])
    const head = await t.admin.call('HEAD', '/api/fs/download', { query: { path: `${mountPath}/a.bin` } })
    expect([head.status, head.headers['content-length'], head.text]).toEqual([200, '300000', ''])
  })

  test('types that a browser shows safely are inline, pages are attachments, and ?download=1 makes everything an attachment', async () => {
    await using t = await startApp()
    const shown = async (name: string, query = {}) => {
      await t.storage.put(name, 'x')
      const path = `${mountPath}/${name}`
      const answer = await t.admin.call('GET', '/api/fs/download', { query: { path, ...query } })
      const disposition = answer.headers['content-disposition']?.split(';')[0]
      return [disposition, answer.headers['content-type']]
    }
    expect(await shown('a.png')).toEqual(['inline', 'image/png'])
    expect(await shown('a.pdf')).toEqual(['inline', 'application/pdf'])
    expect(await shown('a.mp4')).toEqual(['inline', 'video/mp4'])
    expect(await shown('a.mp3')).toEqual(['inline', 'audio/mpeg'])
    expect(await shown('a.json')).toEqual(['inline', 'text/plain; charset=UTF-8'])
    expect((await shown('a.html'))[0]).toBe('attachment')
    expect((await shown('a.zip'))[0]).toBe('attachment')
    expect((await shown('a.png', { download: '1' }))[0]).toBe('attachment')
  })

  test('a file that is replaced between the lookup and the opening is sent completely, in its new version', async () => {
    await using t = await startApp()
    await t.storage.put('a.txt', 'the first version')
    const driver = await t.storage.driver()
    const read = driver.read.bind(driver)
    let isReplaced = false
    Object.assign(driver, {
      read: async (...args: Parameters<typeof read>) => {
        if (!isReplaced) {
          isReplaced = true
          await driver.write(parseStorageKey('a.txt'), Readable.from([Buffer.from('second')]))
        }
        return read(...args)
      },
    })
    const answer = await download(t.admin, `${mountPath}/a.txt`)
    expect([answer.status, answer.text, answer.headers['content-length']]).toEqual([200, 'second', '6'])
    const { body } = await getEntry(t.admin, `${mountPath}/a.txt`)
    expect(answer.headers.etag).toBe(`"${body.data.etag}"`)
  })

  test('downloads of folders and missing files are refused', async () => {
    await using t = await startApp()
    await t.storage.put('docs/a.txt', 'a')
    const codes = {
      docs: 'fs.not_a_file',
      'docs/': 'fs.not_a_file',
      '': 'fs.not_a_file',
      nothing: 'fs.not_found',
    }
    for (const [path, code] of Object.entries(codes))
      expect([path, codeOf(await download(t.admin, `${mountPath}/${path}`))]).toEqual([path, code])
    expect(codeOf(await download(t.admin, '/'))).toBe('fs.not_operable')
    expect(codeOf(await download(t.admin, '/nowhere/a'))).toBe('fs.no_mount')
  })

  test('a key reads at its base path and below, and sees only the names of the folders above', async () => {
    await using t = await startApp()
    for (const key of ['photos/a.txt', 'photos2/a.txt', 'a.txt', 'deep/er/a.txt'])
      await t.storage.put(key, key)
    const key = await t.keyClient(mountKey({ basic_path: `${mountPath}/photos` }))
    expect((await download(key, `${mountPath}/photos/a.txt`)).text).toBe('photos/a.txt')
    for (const path of ['photos2/a.txt', 'a.txt', 'photos2']) {
      expect([path, codeOf(await download(key, `${mountPath}/${path}`))]).toEqual([
        path,
        'auth.path_forbidden',
      ])
      expect([path, codeOf(await getEntry(key, `${mountPath}/${path}`))]).toEqual([
        path,
        'auth.path_forbidden',
      ])
    }
    expect((await getEntry(key, mountPath)).body.data.isDirectory).toBe(true)
    const deep = await t.keyClient(mountKey({ basic_path: `${mountPath}/deep/er` }))
    expect((await getEntry(deep, `${mountPath}/deep`)).body.data).toMatchObject({
      isDirectory: true,
      modified: null,
    })
    for (const path of hostilePaths(`${mountPath}/photos`)) {
      const [get, read] = [await getEntry(key, path), await download(key, path)]
      expect([path, [400, 403, 404].includes(get.status), [400, 403, 404].includes(read.status)]).toEqual([
        path,
        true,
        true,
      ])
    }
    const closed = await t.keyClient({ file_permission: true, text_permission: true })
    expect((await getEntry(closed, mountPath)).status).toBe(403)
    expect((await getEntry(t.visitor, mountPath)).status).toBe(401)
  })
})

const mkdir = (client: TestClient, path: string) => client.call('POST', '/api/fs/mkdir', { body: { path } })
const update = (client: TestClient, path: string, content: unknown, etag?: string) =>
  client.call('POST', '/api/fs/update', { body: { path, content, ...(etag === undefined ? {} : { etag }) } })

describeEachStorage('fs: mkdir', ({ startApp, mountPath }) => {
  test('makes a folder in the mount or in a folder, once', async () => {
    await using t = await startApp()
    expect((await mkdir(t.admin, `${mountPath}/新`)).body).toMatchObject({ code: 200, success: true })
    expect((await mkdir(t.admin, `${mountPath}/新/deep/`)).status).toBe(200)
    expect(await t.storage.keys()).toEqual(['新/', '新/deep/'])
    await t.storage.put('implied/a.txt', 'a')
    for (const path of ['新', '新/', 'implied', 'implied/a.txt', 'implied/a.txt/'])
      expect([path, codeOf(await mkdir(t.admin, `${mountPath}/${path}`))]).toEqual([path, 'fs.exists'])
    expect(codeOf(await mkdir(t.admin, mountPath))).toBe('fs.exists')
    for (const path of ['nothing/deep', 'implied/a.txt/deep'])
      expect([path, codeOf(await mkdir(t.admin, `${mountPath}/${path}`))]).toEqual([
        path,
        'fs.parent_missing',
      ])
    expect(codeOf(await mkdir(t.admin, '/'))).toBe('fs.not_operable')
    expect(codeOf(await mkdir(t.admin, '/nowhere/a'))).toBe('fs.no_mount')
  })

  test('names can contain a percent sign that is not an escape', async () => {
    await using t = await startApp()
    const path = `${mountPath}/50%de rabatt %ff/`
    expect((await mkdir(t.admin, path)).status).toBe(200)
    const file = `${path}100%e4%b8.txt`
    expect(
      (await t.admin.call('PUT', '/api/fs/upload', { query: { path: file }, payload: 'x' })).status,
    ).toBe(200)
    expect(await t.storage.text('50%de rabatt %ff/100%e4%b8.txt')).toBe('x')
    expect((await mkdir(t.admin, '')).body.error.code).toBe('request.invalid')
  })

  test('two concurrent requests create one folder', async () => {
    await using t = await startApp()
    const answers = await Promise.all([mkdir(t.admin, `${mountPath}/a`), mkdir(t.admin, `${mountPath}/a`)])
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409])
  })

  test('keys create folders below their base path, and read-only keys cannot create any', async () => {
    await using t = await startApp()
    await t.storage.put('photos/a.txt', 'a')
    const key = await t.keyClient(mountKey({ basic_path: `${mountPath}/photos` }))
    const reader = await t.keyClient(mountKey({ mount_read_only: true }))
    expect((await mkdir(key, `${mountPath}/photos/new`)).status).toBe(200)
    expect(codeOf(await mkdir(key, `${mountPath}/photos2`))).toBe('auth.path_forbidden')
    expect(codeOf(await mkdir(reader, `${mountPath}/new`))).toBe('fs.read_only')
    for (const path of hostilePaths(`${mountPath}/photos`)) {
      const { status } = await mkdir(key, path)
      expect([path, [400, 403, 409].includes(status)]).toEqual([path, true])
    }
    expect(await t.storage.keys()).toEqual(['photos/a.txt', 'photos/new/'])
  })
})

describeEachStorage('fs: update', ({ startApp, mountPath }) => {
  test('writes a whole or an empty text, and distinguishes new from existing files', async () => {
    await using t = await startApp()
    const made = await update(t.admin, `${mountPath}/notes/a.md`, '你好')
    expect(made.body).toMatchObject({
      code: 200,
      data: { success: true, path: 'notes/a.md', contentType: 'text/markdown', isNewFile: true, size: 6 },
    })
    expect(await t.storage.text('notes/a.md')).toBe('你好')
    const emptied = await update(t.admin, `${mountPath}/notes/a.md`, '')
    expect(emptied.body.data).toMatchObject({ isNewFile: false, size: 0 })
    expect(emptied.body.data.etag).not.toBe(made.body.data.etag)
    expect(await t.storage.text('notes/a.md')).toBe('')
  })

  test('two editors do not overwrite each other', async () => {
    await using t = await startApp()
    const path = `${mountPath}/a.txt`
    const first = (await update(t.admin, path, 'one')).body.data.etag
    const second = (await update(t.admin, path, 'two', first)).body.data.etag
    const late = await update(t.admin, path, 'three', first)
    expect([late.status, codeOf(late)]).toEqual([409, 'fs.changed'])
    expect((await update(t.admin, path, 'three', `"${second}"`)).status).toBe(200)
    expect(codeOf(await update(t.admin, path, 'blind', ''))).toBe('request.invalid')
    expect(codeOf(await update(t.admin, `${mountPath}/gone.txt`, 'x', first))).toBe('fs.changed')
    const { etag } = (await getEntry(t.admin, path)).body.data
    const racers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => update(t.admin, path, `racer ${n}`, etag)),
    )
    expect(racers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    const winner = racers.findIndex((answer) => answer.status === 200)
    expect(await t.storage.text('a.txt')).toBe(`racer ${winner}`)
  })

  test('accepts 10,485,760 characters, but not one more', async () => {
    await using t = await startApp()
    const limit = 10 * 1024 * 1024
    expect((await update(t.admin, `${mountPath}/a.txt`, '\n'.repeat(limit))).status).toBe(200)
    const whole = await update(t.admin, `${mountPath}/b.txt`, '好'.repeat(limit))
    expect([whole.status, whole.body.data?.size]).toEqual([200, 3 * limit])
    const over = await update(t.admin, `${mountPath}/a.txt`, `${'a'.repeat(limit)}好`)
    expect([over.status, codeOf(over)]).toEqual([413, 'fs.text_too_large'])
    const [stat] = (await (await t.storage.driver()).list({ prefix: 'a.txt', limit: 1 })).objects
    expect(stat?.sizeBytes).toBe(limit)
  })

  test('refuses folders, paths outside mounts and other types of content', async () => {
    await using t = await startApp()
    await t.storage.put('docs/a.txt', 'a')
    expect(codeOf(await update(t.admin, `${mountPath}/docs/`, 'x'))).toBe('fs.not_a_file')
    expect(codeOf(await update(t.admin, mountPath, 'x'))).toBe('fs.not_a_file')
    expect(codeOf(await update(t.admin, '/nowhere/a', 'x'))).toBe('fs.no_mount')
    for (const content of [undefined, null, 5, {}, ['a']])
      expect((await update(t.admin, `${mountPath}/a.txt`, content)).status).toBe(400)
    const key = await t.keyClient(mountKey({ basic_path: `${mountPath}/docs` }))
    const reader = await t.keyClient(mountKey({ mount_read_only: true }))
    expect((await update(key, `${mountPath}/docs/a.txt`, 'mine')).status).toBe(200)
    expect(codeOf(await update(key, `${mountPath}/docs2/a.txt`, 'x'))).toBe('auth.path_forbidden')
    expect(codeOf(await update(reader, `${mountPath}/docs/a.txt`, 'x'))).toBe('fs.read_only')
    for (const path of hostilePaths(`${mountPath}/docs`))
      expect([path, [400, 403].includes((await update(key, path, 'x')).status)]).toEqual([path, true])
    expect(await t.storage.keys()).toEqual(['docs/a.txt'])
  })

  test('a share of the file shows the new text', async () => {
    await using t = await startApp()
    const slug = await shareInPlace(t.admin, `${mountPath}/a.txt`, 'old')
    await update(t.admin, `${mountPath}/a.txt`, 'new text')
    const read = await t.visitor.call('GET', `/api/file-download/${slug}`)
    expect([read.text, read.headers['content-length']]).toEqual(['new text', '8'])
    const { data } = (await t.visitor.call('GET', `/api/public/files/${slug}`)).body
    expect([data.size, data.sha256]).toEqual([8, createHash('sha256').update('new text').digest('hex')])
  })
})
