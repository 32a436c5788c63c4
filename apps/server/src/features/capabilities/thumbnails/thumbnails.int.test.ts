import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import { createThumbnailer } from '../../../images/thumbnailer.ts'
import type { TestAnswer, TestClient } from '../../../testing/app.ts'
import { describeOneStorage } from '../../../testing/storages.ts'

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

  test('concurrent requests are processed one after another, and the same thumbnail is created once', async () => {
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

  test('many pictures of one user do not delay those of another', async () => {
    await using t = await startApp()
    for (let n = 0; n < 40; n += 1)
      await t.storage.put(
        `${n}.png`,
        await picture(30 + n, 20)
          .png()
          .toBuffer(),
      )
    const other = await t.keyClient({ mount_permission: true, basic_path: '/' })
    const done: string[] = []
    const ask = async (client: TestClient, name: string) => {
      expect((await thumbnail(client, `${m}/${name}.png`)).status).toBe(200)
      done.push(name)
    }
    const many = Array.from({ length: 39 }, (_, n) => ask(t.admin, `${n}`))
    await Promise.all([...many, ask(other, '39')])
    expect(done.indexOf('39')).toBeLessThan(30)
  })

  test('a picture that is decoded completely can have up to 60 million pixels', async () => {
    await using t = await startApp()
    const large = picture(8000, 8000)
    await t.storage.put('baseline.jpg', await large.clone().jpeg().toBuffer())
    await t.storage.put('progressive.jpg', await large.clone().jpeg({ progressive: true }).toBuffer())
    await t.storage.put('interlaced.png', await large.clone().png({ progressive: true }).toBuffer())
    await t.storage.put('small.jpg', await picture(800, 800).jpeg({ progressive: true }).toBuffer())
    const statuses = []
    for (const name of ['baseline.jpg', 'progressive.jpg', 'interlaced.png', 'small.jpg'])
      statuses.push((await thumbnail(t.admin, `${m}/${name}`)).status)
    expect(statuses).toEqual([200, 204, 204, 200])
  })

  test('a process that exceeds its memory limit ends, and the next picture gets a new process', async () => {
    await using t = await startApp()
    const folder = t.ctx.config.dataDir
    await picture(30, 20).png().toFile(join(folder, 'in.png'))
    const order = { source: join(folder, 'in.png'), target: join(folder, 'out.webp'), edgePx: 10 }
    const narrow = createThumbnailer({ memoryMaxBytes: 1 })
    await expect(narrow.make(order)).rejects.toThrow('ended')
    await expect(narrow.make(order)).rejects.toThrow('ended')
    narrow.close()
    const wide = createThumbnailer()
    await wide.make(order)
    wide.close()
  })

  test('a file that is not a picture gets no thumbnail and does no harm', async () => {
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
    // The server cannot decode HEIC images, which phones create.
    const heic = await readFile(new URL('../../../../../../e2e/corpus/p.heic', import.meta.url))
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
