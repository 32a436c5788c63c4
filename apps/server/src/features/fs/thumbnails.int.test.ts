import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import type { TestAnswer, TestClient } from '../../testing/app.ts'
import { describeOneStorage } from '../../testing/storages.ts'

const thumbnail = (
  client: TestClient,
  path: string,
  { query = {}, headers = {} }: { query?: Record<string, string>; headers?: Record<string, string> } = {},
): Promise<TestAnswer> => client.call('GET', '/api/fs/thumbnail', { query: { path, ...query }, headers })
const codeOf = (answer: TestAnswer) => answer.body?.error?.code

const picture = (width: number, height: number): Sharp =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 80, b: 40 } } })

describeOneStorage('disk', 'fs: thumbnails', ({ startApp, mountPath: m }) => {
  test('pictures of every kind become small WebP pictures, upright, once for each version', async () => {
    await using t = await startApp()
    const upright = await picture(1200, 600).withMetadata({ orientation: 6 }).jpeg().toBuffer()
    await t.storage.put('夏天/a b.jpg', upright)
    for (const kind of ['png', 'webp', 'gif', 'avif', 'tiff'] as const)
      await t.storage.put(`夏天/a.${kind}`, await picture(300, 200).toFormat(kind).toBuffer())
    const first = await thumbnail(t.admin, `${m}/夏天/a b.jpg`)
    expect([first.status, first.headers['content-type']]).toEqual([200, 'image/webp'])
    expect(await sharp(first.bytes).metadata()).toMatchObject({ format: 'webp', width: 160, height: 320 })
    for (const kind of ['png', 'webp', 'gif', 'avif', 'tiff']) {
      const small = await thumbnail(t.admin, `${m}/夏天/a.${kind}`, { query: { size: '100' } })
      expect([kind, (await sharp(small.bytes).metadata()).width]).toEqual([kind, 160])
    }
    const large = await thumbnail(t.admin, `${m}/夏天/a.png`, { query: { size: '4000' } })
    expect((await sharp(large.bytes).metadata()).width).toBe(300)

    const etag = String(first.headers['etag'])
    const same = await thumbnail(t.admin, `${m}/夏天/a b.jpg`, { headers: { 'if-none-match': etag } })
    expect(same.status).toBe(304)
    const entry = await t.admin.call('GET', '/api/fs/get', { query: { path: `${m}/夏天/a b.jpg` } })
    const named = await thumbnail(t.admin, `${m}/夏天/a b.jpg`, { query: { v: entry.body.data.etag } })
    expect(named.headers['cache-control']).toContain('immutable')
    expect(first.headers['cache-control']).toBe('private, no-cache')

    await t.storage.put('夏天/a b.jpg', await picture(400, 400).jpeg().toBuffer())
    const replaced = await thumbnail(t.admin, `${m}/夏天/a b.jpg`)
    expect((await sharp(replaced.bytes).metadata()).height).toBe(320)
    expect(replaced.headers['etag']).not.toBe(etag)
    expect(await readdir(join(t.ctx.config.dataDir, 'spool'))).toEqual([])
  })

  test('many at once are made one after another, the same only once', async () => {
    await using t = await startApp()
    for (let n = 0; n < 6; n += 1)
      await t.storage.put(
        `${n}.jpg`,
        await picture(800 + n, 600)
          .jpeg()
          .toBuffer(),
      )
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, n) => thumbnail(t.admin, `${m}/${n % 6}.jpg`)),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 24 }, () => 200))
    const kept = await readdir(join(t.ctx.config.dataDir, 'thumbnails'), { recursive: true })
    expect(kept.filter((name) => name.includes('/'))).toHaveLength(6)
  })

  test('what is no picture has none, and does not harm', async () => {
    await using t = await startApp()
    const whole = await picture(800, 600).jpeg().toBuffer()
    const bomb = await picture(9000, 9000).png({ compressionLevel: 9 }).toBuffer()
    await t.storage.put('text.jpg', 'no picture')
    await t.storage.put('cut.jpg', whole.subarray(0, whole.length / 2))
    await t.storage.put('empty.png')
    await t.storage.put('bomb.png', bomb)
    await t.storage.put('notes.txt', 'text')
    await t.storage.put('drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
    await t.storage.put('fine.jpg', whole)
    // As phones make them: there are no rights to read what is in it here.
    const heic = await readFile(new URL('../../../../../e2e/corpus/p.heic', import.meta.url))
    for (const name of ['photo.heic', 'photo-of-a-phone.jpg']) await t.storage.put(name, heic)
    const sayOf = async (name: string) => {
      const { status, bytes } = await thumbnail(t.admin, `${m}/${name}`)
      return [status, bytes.length]
    }
    for (const name of [
      'text.jpg',
      'cut.jpg',
      'empty.png',
      'bomb.png',
      'notes.txt',
      'drawing.svg',
      'photo.heic',
      'photo-of-a-phone.jpg',
    ])
      for (const _ of ['made', 'known']) expect([name, await sayOf(name)]).toEqual([name, [204, 0]])
    expect((await thumbnail(t.admin, `${m}/fine.jpg`)).status).toBe(200)
    expect(codeOf(await thumbnail(t.admin, `${m}/none.jpg`))).toBe('fs.not_found')
    expect(codeOf(await thumbnail(t.admin, m))).toBe('fs.not_a_file')
    const key = await t.keyClient({ mount_permission: true, basic_path: `${m}/in` })
    expect(codeOf(await thumbnail(key, `${m}/fine.jpg`))).toBe('auth.path_forbidden')
    expect((await thumbnail(t.visitor, `${m}/fine.jpg`)).status).toBe(401)
  })
})
