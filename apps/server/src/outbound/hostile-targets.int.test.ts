import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { describeEachDatabase } from '../testing/app.ts'

/** Starts a server on loopback that must never receive a request. */
async function startVictim() {
  let asked = 0
  const server = createServer((_request, response) => {
    asked += 1
    response.end('secret')
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => void server.close(done))
    },
  }
}

/** Starts a server that is allowed to receive requests, and redirects them. */
async function startRedirector() {
  let target = ''
  const server = createServer((_request, response) => response.writeHead(302, { location: target }).end())
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    leadTo: (address: string) => void (target = address),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => void server.close(done))
    },
  }
}

/**
 * Hosts outside the public internet in many notations, such as addresses of this machine, of private networks, and of
 * services that reveal secrets.
 */
const hostileHosts = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  '127.0.0.1',
  '127.0.0.1.',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '017700000001',
  '127.000.000.001',
  '0',
  '0.0.0.0',
  '127.127.127.127',
  '10.0.0.1',
  '10.255.255.255',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.0.1',
  '192.168.255.255',
  '3232235777',
  '0xc0a80101',
  '100.64.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '192.0.0.192',
  '100.100.100.200',
  '198.18.0.1',
  '192.0.2.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '255.255.255.255',
  '240.0.0.1',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]',
  '[::ffff:10.0.0.1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::169.254.169.254]',
  '[2002:7f00:1::]',
  '[2001::1]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  'loop.test',
  'meta.test',
  'mixed.test',
  'mapped.test',
  'v6.test',
]

const names: Record<string, Array<{ address: string; family: number }>> = {
  localhost: [{ address: '127.0.0.1', family: 4 }],
  'localhost.': [{ address: '127.0.0.1', family: 4 }],
  'loop.test': [{ address: '127.0.0.1', family: 4 }],
  'meta.test': [{ address: '169.254.169.254', family: 4 }],
  'mixed.test': [
    { address: '8.8.8.8', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ],
  'mapped.test': [{ address: '::ffff:127.0.0.1', family: 6 }],
  'v6.test': [{ address: '::1', family: 6 }],
}

const resolve = async (host: string) => {
  const found = names[host]
  if (!found) throw new Error('There is no such host.')
  return found
}

const badAddresses = [
  'ftp://example.com/a',
  'file:///etc/passwd',
  'gopher://127.0.0.1:70/',
  'javascript:alert(1)',
  'data:text/plain,x',
  '//127.0.0.1/x',
  'http://user:pass@example.com/',
  'http://',
  'nonsense',
  'http://[::1',
  'http://a b/',
]

describeEachDatabase('hostile targets', ({ startApp }) => {
  test('none of them gets a request, through any route', async () => {
    await using victim = await startVictim()
    await using t = await startApp({ resolve })
    expect(hostileHosts.length).toBeGreaterThanOrEqual(60)
    const config = (await t.admin.call('GET', '/api/s3-configs')).body.data[0].id
    for (const host of hostileHosts) {
      const url = `http://${host}:${victim.port}/secret`
      const info = await t.admin.call('POST', '/api/url/info', { body: { url } })
      expect([host, info.status, info.body.error?.code]).toEqual([host, 403, 'url.refused'])
      for (const route of ['presign', 'multipart/init']) {
        const answer = await t.admin.call('POST', `/api/url/${route}`, {
          body: { url, s3_config_id: config },
        })
        expect([host, route, answer.body.error?.code]).toEqual([host, route, 'url.refused'])
      }
      const { task } = (await t.admin.call('POST', '/api/url/import', { body: { url } })).body.data
      await t.ctx.tasks.drain()
      const ended = (await t.admin.call('GET', `/api/tasks/${task.id}`)).body.data
      expect([host, ended.error?.code]).toEqual([host, 'url.refused'])
    }
    expect(victim.asked()).toBe(0)
  })

  test('none of them gets a request after a redirect', async () => {
    await using victim = await startVictim()
    await using redirector = await startRedirector()
    await using t = await startApp({
      env: { URL_FETCH_ALLOW: 'redirector.test' },
      resolve: (host) => (host === 'redirector.test' ? resolve('loop.test') : resolve(host)),
    })
    // Redirects need ASCII hosts, because headers are ASCII.
    for (const host of hostileHosts.filter((one) => /^[ -~]+$/.test(one))) {
      redirector.leadTo(`http://${host}:${victim.port}/secret`)
      const url = `http://redirector.test:${redirector.port}/`
      const info = await t.admin.call('POST', '/api/url/info', { body: { url } })
      expect([host, info.status, info.body.error?.code]).toEqual([host, 403, 'url.refused'])
    }
    expect(victim.asked()).toBe(0)
  })

  test('a URL that is neither http nor https is refused with this reason', async () => {
    await using t = await startApp({ resolve })
    for (const url of badAddresses) {
      const answer = await t.admin.call('POST', '/api/url/info', { body: { url } })
      expect([url, answer.status, answer.body.error.code]).toEqual([url, 400, 'url.invalid'])
    }
  })

  test('a host name that changes between two lookups is connected only at its checked address', async () => {
    await using victim = await startVictim()
    let lookups = 0
    await using t = await startApp({
      resolve: async () => {
        lookups += 1
        // The first address is public but unreachable. The second is private, and an attacker wants the server to
        // connect to it.
        return lookups === 1
          ? [{ address: '2606:4700:ffff::1', family: 6 }]
          : [{ address: '127.0.0.1', family: 4 }]
      },
    })
    const answer = await t.admin.call('POST', '/api/url/info', {
      body: { url: `http://flip.test:${victim.port}/` },
    })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'url.refused'])
    expect([lookups, victim.asked()]).toEqual([2, 0])
  })
})
