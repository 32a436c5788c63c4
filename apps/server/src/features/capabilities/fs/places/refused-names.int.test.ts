import { expect, inject, test } from 'vitest'
import { refuse, startFaultProxy } from '../../../../testing/fault-proxy.ts'
import { addS3Mount, describeOneStorage } from '../../../../testing/storages.ts'

describeOneStorage('s3', 'a bucket that takes shorter names than most', ({ startApp }) => {
  test('is reported as an invalid name, not as a failure of the storage', async () => {
    await using t = await startApp()
    const target = inject('s3Gateway')?.endpointUrl ?? ''
    await using proxy = await startFaultProxy(target, ({ url = '', method }, response) =>
      url.includes('too-long') && method !== 'HEAD'
        ? refuse(response, { status: 400, code: 'InvalidObjectName' })
        : false,
    )
    await using bucket = await addS3Mount(t, { mountPath: '/short', endpointUrl: proxy.url })
    const fileName = 'too-long.txt'
    const path = `/short/${fileName}`
    const headers = { 'content-type': 'text/plain' }
    const wish = { s3_config_id: bucket.configId, original_filename: 'true' }
    const answers = await Promise.all([
      t.admin.call('POST', '/api/fs/presign', { body: { path: '/short', fileName } }),
      t.admin.call('POST', '/api/fs/multipart/init', { body: { path: '/short', fileName, fileSize: 9 } }),
      t.admin.call('PUT', '/api/fs/upload', { payload: 'x', query: { path }, headers }),
      t.admin.call('PUT', `/api/upload-direct/${fileName}`, { payload: 'x', query: wish }),
    ])
    for (const { status, body } of answers)
      expect([status, body.error.code]).toEqual([400, expect.stringMatching(/^(?:fs|file)\.path_invalid$/)])
    expect(await bucket.keys()).toEqual([])
  })

  test('names that are too long for every bucket are refused without a request to the bucket', async () => {
    await using t = await startApp()
    let asked = 0
    const target = inject('s3Gateway')?.endpointUrl ?? ''
    await using proxy = await startFaultProxy(target, ({ url = '' }) => {
      if (url.includes('ddd')) asked += 1
      return false
    })
    await using bucket = await addS3Mount(t, { mountPath: '/long', endpointUrl: proxy.url })
    const folder = `/long/${Array.from({ length: 5 }, () => 'd'.repeat(204)).join('/')}`
    const fileName = 'name.txt'
    const path = `${folder}/${fileName}`
    const headers = { 'content-type': 'text/plain' }
    const answers = await Promise.all([
      t.admin.call('POST', '/api/fs/presign', { body: { path: folder, fileName } }),
      t.admin.call('POST', '/api/fs/multipart/init', { body: { path: folder, fileName, fileSize: 9 } }),
      t.admin.call('PUT', '/api/fs/upload', { payload: 'x', query: { path }, headers }),
      t.admin.call('POST', '/api/fs/mkdir', { body: { path } }),
      t.admin.call('GET', '/api/fs/get', { query: { path } }),
    ])
    for (const { status, body } of answers)
      expect([status, body.error.code]).toEqual([400, 'fs.path_invalid'])
    expect([asked, await bucket.keys()]).toEqual([0, []])
  })
})
