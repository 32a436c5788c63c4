import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { PassThrough, Readable } from 'node:stream'
import { parseStorageKey, StorageError } from '@dropleaf/storage'
import { expect, inject, test, vi } from 'vitest'
import { describeEachDatabase, type TestApp } from '../../../testing/app.ts'
import { startFaultProxy } from '../../../testing/fault-proxy.ts'
import { addS3Mount, type S3Mount } from '../../../testing/storages.ts'
import { restoredRepository } from '../../foundation/restored/restored.repository.ts'
import { sweepUnfinishedUploads } from './unfinished-uploads.usecases.ts'

const MIB = 1024 ** 2
/** Time after which the lease on the record of an upload has expired. */
const LEASE_SECONDS = 901
/** Size that exceeds the buffer that is filled before a multipart upload begins. */
const ENOUGH_FOR_PARTS = 30 * MIB

async function uploadsOf({ bucket: { s3, bucket } }: S3Mount): Promise<string[]> {
  const { Uploads = [] } = await s3.listMultipartUploads({ Bucket: bucket })
  return Uploads.map(({ Key = '' }) => Key)
}

const notesOf = async (t: TestApp) =>
  (await t.ctx.db.selectFrom('unfinished_uploads').select('storage_key').execute()).map(
    ({ storage_key: key }) => key,
  )

const sweep = (t: TestApp) => sweepUnfinishedUploads(t.ctx, new AbortController().signal)

/** Starts a write of unknown length that has sent parts and waits for more. */
async function beginWrite(storage: S3Mount, key: string) {
  const body = new PassThrough()
  const driver = await storage.driver()
  const done = driver.write(parseStorageKey(key), body, { maxBytes: 1024 * MIB })
  done.catch(() => undefined)
  body.write(randomBytes(ENOUGH_FOR_PARTS))
  await vi.waitFor(async () => expect(await uploadsOf(storage)).toContain(key))
  return { body, done }
}

async function beginStray(storage: S3Mount, key: string): Promise<void> {
  const { multipart } = await storage.driver()
  if (!multipart) throw new Error('There are no uploads in parts.')
  const upload = await multipart.create(parseStorageKey(key))
  await multipart.uploadPart(upload, 1, Readable.from([Buffer.from('part')]), { sizeBytes: 4 })
}

/** Creates the record that a killed process would leave. */
async function noteDead(t: TestApp, storage: S3Mount, key: string): Promise<void> {
  const note = await t.ctx.unfinished.noting(storage.configId)(parseStorageKey(key))
  await note.end({ isLeft: true })
  await t.ctx.unfinished.expireAll()
}

/**
 * Starts a proxy for the S3 gateway. The proxy drops the response to the first request that begins a multipart upload.
 */
function loseOneBegin() {
  const target = inject('s3Gateway')?.endpointUrl ?? ''
  let isLost = false
  return startFaultProxy(target, (incoming, response) => {
    if (isLost || incoming.method !== 'POST' || !incoming.url?.includes('uploads')) return false
    isLost = true
    const { method, url = '', headers } = incoming
    const onward = request(new URL(url, target), { method, headers }, (answer) => {
      answer.resume()
      response.destroy()
    })
    incoming.pipe(onward)
    return true
  })
}

describeEachDatabase('unfinished uploads', ({ startApp }) => {
  test('a write that has ended, well or not, leaves nothing in the bucket', async () => {
    await using t = await startApp()
    await using storage = await addS3Mount(t, { mountPath: '/s3' })
    const whole = await beginWrite(storage, 'whole.bin')
    expect(await notesOf(t)).toEqual(['whole.bin'])
    whole.body.end('the rest')
    expect(await whole.done).toMatchObject({ sizeBytes: ENOUGH_FOR_PARTS + 8 })
    expect(await notesOf(t)).toEqual([])

    const broken = await beginWrite(storage, 'broken.bin')
    broken.body.destroy(new Error('the client went away'))
    await expect(broken.done).rejects.toThrow('the client went away')
    // A part could still have been in transit when the upload was aborted, so the upload is checked again later.
    expect(await notesOf(t)).toEqual(['broken.bin'])
    t.clock.advance({ seconds: LEASE_SECONDS })
    await sweep(t)
    expect([await notesOf(t), await uploadsOf(storage), await storage.keys()]).toEqual([
      [],
      [],
      ['whole.bin'],
    ])
  })

  test('uploads of a dead process are removed; uploads of running processes and other objects stay', async () => {
    await using t = await startApp()
    await using storage = await addS3Mount(t, { mountPath: '/s3' })
    const write = await beginWrite(storage, 'a/照片 1.bin')
    await beginStray(storage, 'a/照片 1.bin')
    await beginStray(storage, 'a/照片 1.bin.other')
    const all = ['a/照片 1.bin', 'a/照片 1.bin', 'a/照片 1.bin.other']
    await sweep(t)
    expect(await uploadsOf(storage)).toEqual(all)
    // A running upload is not aborted, even if its record has expired.
    t.clock.advance({ hours: 1 })
    await t.ctx.unfinished.expireAll()
    await sweep(t)
    expect(await uploadsOf(storage)).toEqual(all)
    write.body.end()
    expect(await write.done).toMatchObject({ sizeBytes: ENOUGH_FOR_PARTS })

    await noteDead(t, storage, 'a/照片 1.bin')
    await sweep(t)
    expect([await uploadsOf(storage), await notesOf(t)]).toEqual([['a/照片 1.bin.other'], []])
  })

  test('a start whose response is lost leaves nothing, although the request is repeated', async () => {
    await using t = await startApp()
    await using storage = await addS3Mount(t, { mountPath: '/s3' })
    await using proxy = await loseOneBegin()
    const moved = await t.admin.call('PUT', `/api/s3-configs/${storage.configId}`, {
      body: { endpoint_url: proxy.url },
    })
    expect(moved.status).toBe(200)
    const body = { path: '/s3', fileName: 'b.bin', fileSize: 6 * MIB, partCount: 2, partSize: 5 * MIB }
    const begun = await t.admin.call('POST', '/api/fs/multipart/init', { body })
    expect([begun.status, await uploadsOf(storage), await notesOf(t)]).toEqual([
      200,
      ['b.bin', 'b.bin'],
      ['b.bin'],
    ])
    t.clock.advance({ seconds: LEASE_SECONDS })
    await sweep(t)
    expect([await uploadsOf(storage), await notesOf(t)]).toEqual([['b.bin'], []])
    const { uploadId } = begun.body.data
    const listed = await t.admin.call('GET', '/api/fs/multipart/parts', { query: { uploadId } })
    expect(listed.status).toBe(200)
  })

  test('a storage that does not respond gets one request per sweep, and does not delay the others', async () => {
    await using t = await startApp()
    await using storage = await addS3Mount(t, { mountPath: '/s3' })
    await using silent = await addS3Mount(t, { mountPath: '/silent' })
    const driver = await silent.driver()
    let asked = 0
    driver.sweepTemporary = () => {
      asked += 1
      return Promise.reject(new StorageError('storage.unavailable', 'silent'))
    }
    for (const name of ['a', 'b', 'c']) await noteDead(t, silent, name)
    await noteDead(t, storage, 'lost.bin')
    await beginStray(storage, 'lost.bin')
    await sweep(t)
    expect([asked, await uploadsOf(storage), await notesOf(t)]).toEqual([1, [], ['a', 'b', 'c']])
  })

  test('uploads that a client resumes and uploads of running writes stay', async () => {
    await using t = await startApp()
    await using storage = await addS3Mount(t, { mountPath: '/s3' })
    const fileSize = 6 * MIB
    const body = { path: '/s3', fileName: 'mine.bin', fileSize, partCount: 2, partSize: 5 * MIB }
    const begun = await t.admin.call('POST', '/api/fs/multipart/init', { body })
    expect([begun.status, await notesOf(t)]).toEqual([200, []])
    await noteDead(t, storage, 'mine.bin')
    await beginStray(storage, 'mine.bin')
    expect(await uploadsOf(storage)).toHaveLength(2)
    await sweep(t)
    expect([await uploadsOf(storage), await notesOf(t)]).toEqual([['mine.bin'], []])
    const { uploadId } = begun.body.data
    const listed = await t.admin.call('GET', '/api/fs/multipart/parts', { query: { uploadId } })
    expect([listed.status, listed.body.data?.parts]).toEqual([200, []])

    await noteDead(t, storage, 'busy.bin')
    const write = await beginWrite(storage, 'busy.bin')
    await sweep(t)
    expect(await notesOf(t)).toEqual(['busy.bin', 'busy.bin'])
    write.body.end()
    await write.done
    await sweep(t)
    expect(await notesOf(t)).toEqual([])
  })

  test('nothing is removed from a bucket that a restored server shares with the original server', async () => {
    await using t = await startApp()
    await using storage = await addS3Mount(t, { mountPath: '/s3' })
    await noteDead(t, storage, 'lost.bin')
    await beginStray(storage, 'lost.bin')
    const restored = restoredRepository(t.ctx.db)
    await restored.mark({ savedAt: new Date().toISOString(), restoredAtMs: t.clock.nowMs() })
    await sweep(t)
    expect(await uploadsOf(storage)).toEqual(['lost.bin'])
    await restored.unmark()
    await sweep(t)
    expect([await uploadsOf(storage), await notesOf(t)]).toEqual([[], []])
  })
})
