import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { CERTIFICATE, PRIVATE_KEY } from '@dropleaf/storage/testing/certificate'
import { describeOneDatabase } from '../testing/app.ts'

async function startPretender() {
  const asked: string[] = []
  const server: Server = createServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, (request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('from somebody in between')
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return {
    asked,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => void server.close(done))
    },
  }
}

describeOneDatabase('sqlite', 'certificates', ({ startApp }) => {
  test('of unknown authorities are refused: no request is sent to a URL or a storage with such a certificate', async () => {
    await using pretender = await startPretender()
    await using t = await startApp({
      env: { URL_FETCH_ALLOW: 'origin.test' },
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    const url = `https://origin.test:${pretender.port}/a.txt`
    expect((await t.admin.call('POST', '/api/url/info', { body: { url } })).body.data.size).toBeNull()
    const started = await t.admin.call('POST', '/api/url/import', { body: { url } })
    await t.ctx.tasks.drain()
    const task = await t.admin.call('GET', `/api/tasks/${started.body.data.task.id}`)
    expect([task.body.data.state, task.body.data.error.code]).toEqual(['failed', 'url.unreachable'])

    const config = await t.admin.call('POST', '/api/s3-configs', {
      body: {
        name: 'between',
        provider_type: 'Other',
        endpoint_url: `https://127.0.0.1:${pretender.port}`,
        bucket_name: 'b',
        access_key_id: 'a',
        secret_access_key: 's',
      },
    })
    const { id } = config.body.data
    const sent = await t.admin.call('PUT', '/api/upload-direct/a.txt', {
      payload: 'secret',
      query: { s3_config_id: id },
      headers: { 'content-type': 'application/octet-stream' },
    })
    expect(sent.status).toBeGreaterThanOrEqual(400)
    expect(pretender.asked).toEqual([])
  })
})
