import { Readable } from 'node:stream'
import { webdavErrors } from '@dropleaf/contract'
import { expect, test } from 'vitest'
import { readXml } from './webdav-requests.http.ts'

test('an interrupted body is an error of its sender', async () => {
  const raw = new Readable({ read: () => void raw.destroy(new Error('aborted')) })
  const request = { raw, headers: { 'content-length': '9' } }
  const call = { request, reply: {} } as unknown as Parameters<typeof readXml>[0]
  await expect(readXml(call)).rejects.toMatchObject({ spec: webdavErrors.xml_invalid })
})
