import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { describeOneDatabase } from '../testing/app.ts'

/** Made for this test alone, by nobody whom anybody trusts; valid until 2126 for `origin.test` and 127.0.0.1. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBoDCCAUegAwIBAgIUWkBagNDi8rJnE+o98K4HN1L7G30wCgYIKoZIzj0EAwIw
FjEUMBIGA1UEAwwLb3JpZ2luLnRlc3QwIBcNMjYxMTIyMTYzNzE5WhgPMjEyNjEw
MjkxNjM3MTlaMBYxFDASBgNVBAMMC29yaWdpbi50ZXN0MFkwEwYHKoZIzj0CAQYI
KoZIzj0DAQcDQgAE5w/9wHem96OVpuyd4MdsSwOlOufVxs9e++lsDPlOKSU3uFXo
vMtT2+ybm7XiEuBRxaYh4KtcmVxWCuVKON0QVaNxMG8wHQYDVR0OBBYEFJkA8TPj
enRfY7s+WJ8BwLTBidcsMB8GA1UdIwQYMBaAFJkA8TPjenRfY7s+WJ8BwLTBidcs
MA8GA1UdEwEB/wQFMAMBAf8wHAYDVR0RBBUwE4ILb3JpZ2luLnRlc3SHBH8AAAEw
CgYIKoZIzj0EAwIDRwAwRAIgXCwWSZ5psLyPPBJp7f65kyd5NGnOhfZgMmT/dHt0
KXYCIFCOVtro7SF72TqIihtE6HKY//PP0oUi26YcwHk/0JcT
-----END CERTIFICATE-----`
const PRIVATE_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCusijfISbP6yfeVg
fo6mobHp/1rvX2S5fNlksbB43wuhRANCAATnD/3Ad6b3o5Wm7J3gx2xLA6U659XG
z1776WwM+U4pJTe4Vei8y1Pb7JubteIS4FHFpiHgq1yZXFYK5Uo43RBV
-----END PRIVATE KEY-----`

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
  test('of unknown makers are refused: nothing is asked of an address or a storage that shows one', async () => {
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
