import { expect, test } from 'vitest'
import { describeOneStorage } from '../../../../testing/storages.ts'

const put = async (address: string, body: string) =>
  (await fetch(address, { method: 'PUT', body, headers: { 'content-type': 'text/plain' } })).status

describeOneStorage('s3', 'what is larger than it was announced to be', ({ startApp, mountPath }) => {
  test('does not stay when the commit of a share is refused', async () => {
    await using t = await startApp()
    const order = { s3_config_id: t.storage.configId, filename: 'a.txt', size: 3 }
    const { data } = (await t.admin.call('POST', '/api/s3/presign', { body: order })).body
    expect(await put(data.upload_url, 'longer')).toBe(200)
    const claim = { file_id: data.file_id, size: 3 }
    const { status, body } = await t.admin.call('POST', '/api/s3/commit', { body: claim })
    expect([status, body.error.code]).toEqual([400, 'file.size_mismatch'])
    await t.ctx.jobs.settle()
    expect(await t.storage.keys()).toEqual([])
    expect((await t.admin.call('POST', '/api/s3/commit', { body: claim })).status).toBe(404)
  })

  test('does not stay when the commit of a file of a mount is refused', async () => {
    await using t = await startApp()
    const order = { path: mountPath, fileName: 'a.txt', fileSize: 3 }
    const { data } = (await t.admin.call('POST', '/api/fs/presign', { body: order })).body
    expect(await put(data.presignedUrl, 'longer')).toBe(200)
    const claim = { ...data, fileSize: 3 }
    const { status, body } = await t.admin.call('POST', '/api/fs/presign/commit', { body: claim })
    expect([status, body.error?.code]).toEqual([400, 'file.size_mismatch'])
    const again = await t.admin.call('POST', '/api/fs/presign/commit', { body: claim })
    expect(again.body.error.code).toBe('fs.upload_not_found')
    expect(await t.storage.keys()).toEqual([])
  })
})
