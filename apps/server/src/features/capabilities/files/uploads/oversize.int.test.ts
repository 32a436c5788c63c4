import { expect, test } from 'vitest'
import { describeOneStorage, type StorageTestApp } from '../../../../testing/storages.ts'

const headers = { 'content-type': 'text/plain' }

/** Sends a body to a signed URL, which leads to the bucket or to this server. */
async function put(t: StorageTestApp, address: string, body: string): Promise<number> {
  if (t.storage.kind === 's3') return (await fetch(address, { method: 'PUT', body, headers })).status
  const { pathname, search } = new URL(address)
  return (await t.visitor.call('PUT', pathname + search, { payload: body, headers })).status
}

describeOneStorage('s3', 'what is larger than it was announced to be', ({ kind, startApp, mountPath }) => {
  /**
   * The local disk refuses excess bytes immediately. A bucket accepts excess bytes, so the commit refuses the upload.
   */
  const sent = kind === 's3' ? 200 : 413
  const refusal = kind === 's3' ? [400, 'file.size_mismatch'] : [409, 'file.not_uploaded']

  test('is deleted when the commit of a share is refused', async () => {
    await using t = await startApp()
    const order = { s3_config_id: t.storage.configId, filename: 'a.txt', size: 3 }
    const { data } = (await t.admin.call('POST', '/api/s3/presign', { body: order })).body
    expect(await put(t, data.upload_url, 'longer')).toBe(sent)
    const claim = { file_id: data.file_id, size: 3 }
    const { status, body } = await t.admin.call('POST', '/api/s3/commit', { body: claim })
    expect([status, body.error.code]).toEqual(refusal)
    await t.ctx.jobs.settle()
    expect(await t.storage.keys()).toEqual([])
    const again = await t.admin.call('POST', '/api/s3/commit', { body: claim })
    expect(again.body.error.code).toBe(kind === 's3' ? 'file.not_found' : 'file.not_uploaded')
  })

  test('is deleted when the commit of a file of a mount is refused', async () => {
    await using t = await startApp()
    const order = { path: mountPath, fileName: 'a.txt', fileSize: 3 }
    const { data } = (await t.admin.call('POST', '/api/fs/presign', { body: order })).body
    expect(await put(t, data.presignedUrl, 'longer')).toBe(sent)
    const claim = { ...data, fileSize: 3 }
    const { status, body } = await t.admin.call('POST', '/api/fs/presign/commit', { body: claim })
    expect([status, body.error?.code]).toEqual(refusal)
    const again = await t.admin.call('POST', '/api/fs/presign/commit', { body: claim })
    expect(again.body.error.code).toBe(kind === 's3' ? 'fs.upload_not_found' : 'file.not_uploaded')
    expect(await t.storage.keys()).toEqual([])
  })
})
