import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { parseStorageKey, type StorageDriver, type UploadRef } from '@dropleaf/storage'
import { expect, test } from 'vitest'
import { describeEachStorage, type StorageTestApp } from '../../../../testing/storages.ts'

const MIB = 1024 ** 2
const HOUR = { expiresInSeconds: 3600 }
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function addressOf(t: StorageTestApp, link: string): Promise<string> {
  if (!link.startsWith('/')) return link
  if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' })
  return `http://127.0.0.1:${(t.app.server.address() as { port: number }).port}${link}`
}

async function begin(t: StorageTestApp, name = '照片/big +1.bin') {
  const driver = await t.storage.driver()
  if (driver.multipart === null) throw new Error('No multipart uploads.')
  return { driver, multipart: driver.multipart, upload: await driver.multipart.create(parseStorageKey(name)) }
}

async function putPart(
  t: StorageTestApp,
  driver: StorageDriver,
  { upload, partNumber, bytes }: { upload: UploadRef; partNumber: number; bytes: Uint8Array },
) {
  const url = await addressOf(t, await driver.links.part(upload, partNumber, HOUR))
  return fetch(url, { method: 'PUT', body: new Uint8Array(bytes), headers: { origin: 'https://page.test' } })
}

describeEachStorage('parts by signed URL', ({ startApp, kind }) => {
  test('arrive in any order, several at once, and form the object', async () => {
    await using t = await startApp()
    const { driver, multipart, upload } = await begin(t)
    const pieces = [randomBytes(5 * MIB), randomBytes(5 * MIB), Buffer.from('end')]
    const parts = await Promise.all(
      pieces.map(async (bytes, index) => {
        const answer = await putPart(t, driver, { upload, partNumber: index + 1, bytes })
        expect(answer.status).toBe(200)
        expect(answer.headers.get('access-control-allow-origin')).toMatch(/^\*$|page\.test/)
        expect(answer.headers.get('access-control-expose-headers')?.toLowerCase()).toContain('etag')
        return { partNumber: index + 1, etag: (answer.headers.get('etag') ?? '').replaceAll('"', '') }
      }),
    )
    expect((await multipart.listParts(upload)).parts).toMatchObject(parts)
    await multipart.complete(upload, parts)
    const { body } = await driver.read(upload.key)
    expect(sha256(Buffer.concat(await body.toArray()))).toBe(sha256(Buffer.concat(pieces)))
  })

  test('an interrupted part stores nothing, and can be sent again', async () => {
    await using t = await startApp()
    const { driver, multipart, upload } = await begin(t)
    const url = await addressOf(t, await driver.links.part(upload, 1, HOUR))
    const outgoing = request(url, { method: 'PUT', headers: { 'content-length': 1000 } })
    outgoing.on('error', () => undefined)
    await new Promise((resolve) => outgoing.write('half of it', resolve))
    const closed = new Promise((resolve) => outgoing.once('close', resolve))
    outgoing.destroy()
    await closed
    expect((await multipart.listParts(upload)).parts).toEqual([])
    await putPart(t, driver, { upload, partNumber: 1, bytes: Buffer.from('first') })
    expect((await putPart(t, driver, { upload, partNumber: 1, bytes: Buffer.from('again') })).status).toBe(
      200,
    )
    const { parts } = await multipart.listParts(upload)
    await multipart.complete(upload, parts)
    expect(await t.storage.text(upload.key)).toBe('again')
  })

  test('of an ended upload are refused', async () => {
    await using t = await startApp()
    const { driver, multipart, upload } = await begin(t)
    await multipart.abort(upload)
    const answer = await putPart(t, driver, { upload, partNumber: 1, bytes: Buffer.from('x') })
    expect(answer.status).toBe(kind === 'disk' ? 403 : 404)
    expect(await t.storage.keys()).toEqual([])
  })

  test('a modified URL is refused', async ({ skip }) => {
    skip(kind === 's3', 'a bucket checks its signatures itself')
    await using t = await startApp()
    const { driver, multipart, upload } = await begin(t, 'a.bin')
    const other = await multipart.create(parseStorageKey('a.bin'))
    const link = await driver.links.part(upload, 1, { expiresInSeconds: 60, maxBytes: 5 })
    const put = (path: string, payload = 'x') => t.visitor.call('PUT', path, { payload })
    const changed = [
      link.replace('partNumber=1', 'partNumber=2'),
      link.replace(upload.uploadId, other.uploadId),
      link.replace('a.bin', 'b.bin'),
      link.replace('max=5', 'max=500'),
      link.replace(/&?uploadId=[^&]*&partNumber=1/, ''),
    ]
    for (const path of changed) {
      const answer = await put(path)
      expect([path !== link, answer.status, answer.body.error.code]).toEqual([
        true,
        403,
        'storage.link_invalid',
      ])
    }
    expect((await t.visitor.call('GET', link)).status).toBe(403)
    const tooLarge = await put(link, 'six by')
    expect([tooLarge.status, tooLarge.body.error.code]).toEqual([413, 'file.too_large'])
    expect((await put(link, 'fives')).status).toBe(200)
    t.clock.advance({ seconds: 61 })
    expect((await put(link)).body.error.code).toBe('storage.link_expired')
    expect((await multipart.listParts(upload)).parts).toMatchObject([{ partNumber: 1, sizeBytes: 5 }])
    await expect(driver.stat(parseStorageKey('a.bin'))).resolves.toBeNull()
  })
})
