import { randomBytes } from 'node:crypto'
import { execFileSync, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { Agent, request, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3 } from '@aws-sdk/client-s3'
import { type Intercept, refuse, startFaultProxy } from '../apps/server/src/testing/fault-proxy.ts'
import { type ServerProcess, startServer } from '../apps/server/src/testing/server-process.ts'
import { startGateway } from './lib/gateway.ts'
import { OWN_PASSWORD as PASSWORD } from './lib/product.ts'
import { choice } from './lib/settings.ts'
import { atExit, ownFolder, refuse as stopWith, run } from './lib/undo.ts'

/**
 * Injects faults around a running server, one after another: which errors clients get, how long they then wait for the
 * first success, and how much memory it takes. Exits with 1 if anything is wrong. Needs root, for a small disk, and
 * Ceph's packages, for a bucket behind a faulty proxy. `ONLY` names one fault.
 */

const MIB = 1024 ** 2

interface Reply {
  readonly status: number
  readonly code: string
  readonly ms: number
  readonly body: Buffer
}

interface Asking {
  readonly body?: Buffer | object
  readonly headers?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

interface Product {
  readonly server: ServerProcess
  readonly origin: string
  readonly pid: number
  ask(method: string, path: string, asking?: Asking): Promise<Reply>
  memoryKb(): Promise<number>
  stop(): Promise<void>
}

const FAILED: Omit<Reply, 'ms' | 'code'> = { status: 0, body: Buffer.alloc(0) }

async function openProduct(dataDir: string, env: Record<string, string> = {}): Promise<Product> {
  const server = await startServer({ DATA_DIR: dataDir, ADMIN_PASSWORD: PASSWORD, ...env })
  const origin = server.api.replace(/\/api$/, '')
  const pid = server.process.pid ?? 0
  const agent = new Agent({ keepAlive: true })
  let authorization = ''
  const ask: Product['ask'] = (method, path, { body, headers = {}, timeoutMs = 60_000 } = {}) => {
    const isJson = body !== undefined && !Buffer.isBuffer(body)
    const bytes = isJson ? Buffer.from(JSON.stringify(body)) : body
    const startedAt = performance.now()
    const told = (reply: Omit<Reply, 'ms'>): Reply => ({ ...reply, ms: performance.now() - startedAt })
    return new Promise((resolve) => {
      const call = request(
        new URL(path, origin),
        {
          method,
          agent,
          timeout: timeoutMs,
          headers: {
            ...(authorization !== '' && { authorization }),
            ...(isJson && { 'content-type': 'application/json' }),
            ...(bytes && { 'content-length': bytes.length }),
            ...headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', (error) => resolve(told({ ...FAILED, code: error.message })))
          answer.on('end', () => {
            const whole = Buffer.concat(chunks)
            const status = answer.statusCode ?? 0
            const code = status < 300 ? '' : (/"code":"([\w.]+)"/.exec(whole.toString('latin1'))?.[1] ?? '')
            resolve(told({ status, code, body: whole }))
          })
        },
      )
      call.on('timeout', () => call.destroy(new Error('timeout')))
      call.on('error', (error) => resolve(told({ ...FAILED, code: error.message })))
      call.end(bytes)
    })
  }
  const login = await ask('POST', '/api/admin/login', { body: { username: 'admin', password: PASSWORD } })
  authorization = `Bearer ${/"token":"([^"]+)"/.exec(login.body.toString())?.[1] ?? ''}`
  return {
    server,
    origin,
    pid,
    ask,
    async memoryKb() {
      return Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
    },
    async stop() {
      agent.destroy()
      const ended = new Promise((resolve) => server.process.once('exit', resolve))
      server.process.kill('SIGTERM')
      await ended
    },
  }
}

/** Result of a fault. */
interface Report {
  readonly told: string
  readonly isGood: boolean
}

const counted = (replies: readonly Reply[]): string => {
  const counts = new Map<string, number>()
  for (const { status, code } of replies) {
    const what = `${status}${code && ` ${code}`}`
    counts.set(what, (counts.get(what) ?? 0) + 1)
  }
  return [...counts].map(([what, count]) => `${count} × ${what}`).join(', ')
}

const slowest = (replies: readonly Reply[]) => `${Math.max(0, ...replies.map(({ ms }) => ms)).toFixed(0)} ms`
const isOk = ({ status }: Reply) => status >= 200 && status < 300
const share = (product: Product) =>
  product.ask('POST', '/api/paste', { body: { content: `text ${Math.random()}` } })

/** Time until an attempt succeeds. @throws {Error} after a minute */
async function recovery(attempt: () => Promise<Reply>): Promise<string> {
  const startedAt = performance.now()
  while (performance.now() - startedAt < 60_000) {
    if (isOk(await attempt())) return `${(performance.now() - startedAt).toFixed(0)} ms`
    await sleep(100)
  }
  throw new Error('The server did not recover within a minute.')
}

/** Opens connections that send the given bytes and report when they are closed. */
async function openLines(
  origin: string,
  count: number,
  first: string,
): Promise<Array<{ socket: Socket; isOpen: boolean }>> {
  const { port } = new URL(origin)
  return Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<{ socket: Socket; isOpen: boolean }>((resolve, reject) => {
          const socket = connect({ host: '127.0.0.1', port: Number(port) })
          const line = { socket, isOpen: true }
          socket.on('close', () => (line.isOpen = false))
          socket.on('error', reject)
          socket.once('connect', () => {
            if (first !== '') socket.write(first)
            resolve(line)
          })
        }),
    ),
  )
}

async function withProduct(use: (product: Product, folder: string) => Promise<Report>): Promise<Report> {
  using folder = ownFolder()
  const product = await openProduct(folder.path)
  try {
    return await use(product, folder.path)
  } finally {
    await product.stop()
  }
}

/** A thousand silent connections: other clients are served, and memory stays low. */
const idleConnections = () =>
  withProduct(async (product) => {
    await share(product)
    const before = await product.memoryKb()
    const lines = await openLines(product.origin, 1000, '')
    const replies = await Promise.all(Array.from({ length: 50 }, () => share(product)))
    const grownKb = (await product.memoryKb()) - before
    for (const { socket } of lines) socket.destroy()
    return {
      told: `1,000 open; ${counted(replies)}, slowest ${slowest(replies)}; ${grownKb} kB more memory`,
      isGood: replies.every(isOk) && grownKb < 100_000,
    }
  })

/** Request heads that never end, one byte every few seconds: the server closes them, and no other client waits. */
const slowHeads = () =>
  withProduct(async (product) => {
    const lines = await openLines(product.origin, 500, 'GET /api/health HTTP/1.1\r\nHost: a\r\nX-A: ')
    for (const { socket } of lines) {
      socket.on('error', () => undefined)
      // The end of the connection is only reported while the socket is read.
      socket.resume()
    }
    const drip = setInterval(() => {
      for (const { socket, isOpen } of lines) if (isOpen) socket.write('a')
    }, 5000)
    const replies: Reply[] = []
    const startedAt = performance.now()
    let closedAfterMs = 0
    while (performance.now() - startedAt < 150_000 && lines.some(({ isOpen }) => isOpen)) {
      replies.push(await share(product))
      await sleep(500)
      closedAfterMs = performance.now() - startedAt
    }
    clearInterval(drip)
    const open = lines.filter(({ isOpen }) => isOpen).length
    for (const { socket } of lines) socket.destroy()
    return {
      told: `500 heads without an end: all but ${open} closed after ${(closedAfterMs / 1000).toFixed(0)} s; meanwhile ${counted(replies)}, slowest ${slowest(replies)}`,
      isGood: open === 0 && replies.every(isOk),
    }
  })

/** Request bodies that stall: the server closes them, and stores nothing. */
const stuckWriters = () =>
  withProduct(async (product) => {
    const login = await product.ask('POST', '/api/admin/login', {
      body: { username: 'admin', password: PASSWORD },
    })
    const token = /"token":"([^"]+)"/.exec(login.body.toString())?.[1] ?? ''
    const head = (at: number) =>
      `PUT /api/fs/upload?path=/local/stuck-${at}.bin HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Length: 1000000\r\n\r\nbegin`
    const before = await product.memoryKb()
    const lines = (
      await Promise.all(Array.from({ length: 100 }, (_, at) => openLines(product.origin, 1, head(at))))
    ).flat()
    const replies: Reply[] = []
    const startedAt = performance.now()
    let closedAfterMs = 0
    while (performance.now() - startedAt < 180_000 && lines.some(({ isOpen }) => isOpen)) {
      replies.push(await share(product))
      await sleep(1000)
      closedAfterMs = performance.now() - startedAt
    }
    const open = lines.filter(({ isOpen }) => isOpen).length
    const grownKb = (await product.memoryKb()) - before
    const listed = await product.ask('GET', '/api/fs/list?path=/local&refresh=true')
    const left = listed.body.toString().split('stuck-').length - 1
    for (const { socket } of lines) socket.destroy()
    return {
      told: `100 bodies that stop: all but ${open} closed after ${(closedAfterMs / 1000).toFixed(0)} s, ${left} files of them; meanwhile ${counted(replies)}; ${grownKb} kB more memory`,
      isGood: open === 0 && left === 0 && replies.every(isOk),
    }
  })

/** Clients that request a large file and read nothing: memory stays flat. */
const slowReaders = () =>
  withProduct(async (product) => {
    const up = await product.ask('PUT', '/api/upload-direct/large.bin?slug=large', {
      body: randomBytes(64 * MIB),
    })
    const before = await product.memoryKb()
    const lines = await openLines(
      product.origin,
      100,
      'GET /api/file-download/large HTTP/1.1\r\nHost: a\r\n\r\n',
    )
    for (const { socket } of lines) {
      socket.on('error', () => undefined)
      socket.once('data', () => socket.pause())
    }
    await sleep(5000)
    const grownKb = (await product.memoryKb()) - before
    const replies = await Promise.all(Array.from({ length: 50 }, () => share(product)))
    for (const { socket } of lines) socket.destroy()
    return {
      told: `upload ${up.status}; 100 readers of 64 MiB who take nothing: ${grownKb} kB more memory; meanwhile ${counted(replies)}, slowest ${slowest(replies)}`,
      isGood: isOk(up) && replies.every(isOk) && grownKb < 150_000,
    }
  })

/** Another program locks the database: writers wait or get an error; nothing is lost. */
const lockedDatabase = () =>
  withProduct(async (product, folder) => {
    const name =
      (await run('ls', [folder])).stdout.split('\n').find((file) => /\.(db|sqlite)$/.test(file)) ?? ''
    const other = new DatabaseSync(join(folder, name))
    other.exec('BEGIN IMMEDIATE')
    const during = Array.from({ length: 5 }, () => share(product))
    await sleep(3000)
    other.exec('ROLLBACK')
    const short = await Promise.all(during)
    other.exec('BEGIN IMMEDIATE')
    const longer = Array.from({ length: 3 }, () => share(product))
    await sleep(30_000)
    other.exec('ROLLBACK')
    other.close()
    const long = await Promise.all(longer)
    const back = await recovery(() => share(product))
    return {
      told: `held for 3 s: ${counted(short)}, slowest ${slowest(short)}; for 30 s: ${counted(long)}, slowest ${slowest(long)}; works again after ${back}`,
      isGood: short.every(isOk) && long.every(({ status }) => status === 503 || isOk({ status } as Reply)),
    }
  })

/** A disk of 96 MiB fills up: uploads fail with a clear error, stored files stay, and freed space is used again. */
async function fullDisk(): Promise<Report> {
  using own = ownFolder()
  const { path: folder } = own
  let isMounted = true
  const unmount = () => {
    if (isMounted) execFileSync('umount', ['-l', folder])
    isMounted = false
  }
  await run('mount', ['-t', 'tmpfs', '-o', 'size=192m', 'tmpfs', folder])
  atExit(unmount)
  const product = await openProduct(folder)
  try {
    const replies: Reply[] = []
    const kept: string[] = []
    for (let at = 0; at < 22; at += 1) {
      const reply = await product.ask('PUT', `/api/fs/upload?path=/local/${at}.bin`, {
        body: randomBytes(8 * MIB),
      })
      replies.push(reply)
      if (isOk(reply)) kept.push(`/local/${at}.bin`)
    }
    // Fills the last pages as well.
    for (let sizeBytes = 4 * MIB; sizeBytes >= 16 * 1024; sizeBytes /= 2)
      for (let at = 0; at < 3; at += 1)
        await product.ask('PUT', `/api/fs/upload?path=/local/s-${sizeBytes}-${at}.bin`, {
          body: randomBytes(sizeBytes),
        })
    const texts = await Promise.all(
      Array.from({ length: 20 }, () =>
        product.ask('POST', '/api/paste', { body: { content: 'x'.repeat(200_000) } }),
      ),
    )
    const reads = await Promise.all(kept.map((path) => product.ask('GET', `/api/fs/download?path=${path}`)))
    const whole = reads.filter(({ body }) => body.length === 8 * MIB).length
    const removed = await product.ask('DELETE', '/api/fs/batch-remove', { body: { paths: kept.slice(0, 3) } })
    const back = await recovery(() => share(product))
    return {
      told: `files: ${counted(replies)}; texts: ${counted(texts)}; ${whole} of ${kept.length} files whole; a removal ${removed.status} ${removed.code}; works again after ${back}`,
      isGood:
        whole === kept.length &&
        [...replies, ...texts].every((reply) => isOk(reply) || reply.status === 507) &&
        isOk(removed),
    }
  } finally {
    await product.stop()
    unmount()
  }
}

/**
 * The server's clock jumps a day ahead and back: sessions end or continue according to their times, and nothing hangs.
 */
async function clockJump(): Promise<Report> {
  using own = ownFolder()
  const { path: folder } = own
  const offsets = join(folder, 'offset')
  await run('sh', ['-c', 'echo "+0" > "$0"', offsets])
  const { stdout } = await run('sh', ['-c', 'ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null || true'])
  const library = stdout.trim()
  if (library === '') return { told: 'not tried: Debian’s faketime is not installed', isGood: true }
  const product = await openProduct(join(folder, 'data'), {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: offsets,
    FAKETIME_NO_CACHE: '1',
    DONT_FAKE_MONOTONIC: '1',
  })
  try {
    const texts: Reply[] = [await share(product)]
    const kept = await product.ask('POST', '/api/paste', {
      body: {
        content: 'for two days',
        slug: 'two-days',
        expiresAt: new Date(Date.now() + 2 * 86_400_000).toISOString(),
      },
    })
    await run('sh', ['-c', 'echo "+1d" > "$0"', offsets])
    await sleep(1000)
    const ahead = [await product.ask('GET', '/api/paste/two-days'), await product.ask('GET', '/api/health')]
    await run('sh', ['-c', 'echo "+3d" > "$0"', offsets])
    await sleep(1000)
    const over = await product.ask('GET', '/api/paste/two-days')
    await run('sh', ['-c', 'echo "-1d" > "$0"', offsets])
    await sleep(1000)
    const behind = [await product.ask('GET', '/api/health')]
    const login = await product.ask('POST', '/api/admin/login', {
      body: { username: 'admin', password: PASSWORD },
    })
    await run('sh', ['-c', 'echo "+0" > "$0"', offsets])
    await sleep(1000)
    const again = await product.ask('POST', '/api/admin/login', {
      body: { username: 'admin', password: PASSWORD },
    })
    return {
      told: `before ${counted([...texts, kept])}; a day ahead ${counted(ahead)}; three days ahead ${counted([over])}; a day behind ${counted([...behind, login])}; right again ${counted([again])}`,
      isGood: [...texts, kept, ...ahead, ...behind, login, again].every(isOk) && over.status === 410,
    }
  } finally {
    await product.stop()
  }
}

type Break = (response: ServerResponse) => boolean

/** A bucket whose connection fails in several ways, one after another. */
async function brokenBucket(): Promise<Report> {
  const { gateway, stop } = await startGateway()
  using folder = ownFolder()
  let fault: Break | null = null
  let broken = 0
  const intercept: Intercept = (_request, response) => {
    const isBroken = fault?.(response) ?? false
    if (isBroken) broken += 1
    return isBroken
  }
  await using proxy = await startFaultProxy(gateway.endpointUrl, intercept)
  const product = await openProduct(folder.path)
  try {
    const { endpointUrl: endpoint, accessKeyId, secretAccessKey } = gateway
    const direct = new S3({
      endpoint,
      region: 'us-east-1',
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    })
    await direct.createBucket({ Bucket: 'faults' })
    const config = await product.ask('POST', '/api/s3-configs', {
      body: {
        name: 'Behind a broken line',
        provider_type: 'Other',
        endpoint_url: proxy.url,
        bucket_name: 'faults',
        access_key_id: accessKeyId,
        secret_access_key: secretAccessKey,
        path_style: true,
      },
    })
    const id = /"id":"([^"]+)"/.exec(config.body.toString())?.[1] ?? ''
    await product.ask('POST', '/api/admin/mounts', {
      body: { name: 'broken', storage_type: 'S3', storage_config_id: id, mount_path: '/s3', cache_ttl: 0 },
    })
    const bytes = randomBytes(3 * MIB)
    const put = (name: string) =>
      product.ask('PUT', `/api/fs/upload?path=/s3/${name}.bin`, { body: bytes, timeoutMs: 180_000 })
    const kept = await put('kept')
    const before = await product.memoryKb()
    const breaks: ReadonlyArray<readonly [string, Break, number]> = [
      [
        'one call in three refused (503)',
        (response) => Math.random() < 1 / 3 && refuse(response, { status: 503, code: 'SlowDown' }),
        8,
      ],
      ['one call in three cut off', (response) => Math.random() < 1 / 3 && Boolean(response.destroy()), 8],
      [
        'every call refused (503)',
        (response) => refuse(response, { status: 503, code: 'ServiceUnavailable' }),
        3,
      ],
      ['every call cut off', (response) => Boolean(response.destroy()), 3],
      ['no answers', () => true, 2],
    ]
    const lines: string[] = []
    let isGood = isOk(kept)
    for (const [name, breakIt, count] of breaks) {
      fault = breakIt
      broken = 0
      const replies = await Promise.all(
        Array.from({ length: count }, (_, at) => put(`${lines.length}-${at}`)),
      )
      const reading = await product.ask('GET', '/api/fs/download?path=/s3/kept.bin', { timeoutMs: 180_000 })
      const texts = await share(product)
      fault = null
      const back = await recovery(() => product.ask('GET', '/api/fs/download?path=/s3/kept.bin'))
      const acknowledged = replies.flatMap((reply, at) => (isOk(reply) ? [`${lines.length}-${at}`] : []))
      const read = await Promise.all(
        acknowledged.map((key) => product.ask('GET', `/api/fs/download?path=/s3/${key}.bin`)),
      )
      const whole = read.filter(({ body }) => body.equals(bytes)).length
      lines.push(
        `${name} (${broken} broken): writes ${counted(replies)}, slowest ${slowest(replies)}; a read ${reading.status} ${reading.code}; a text ${texts.status}; ${whole} of ${acknowledged.length} acknowledged whole; reads again after ${back}`,
      )
      const isTold = [...replies, reading].every(
        (reply) => isOk(reply) || (reply.status >= 500 && reply.code !== ''),
      )
      isGood &&= whole === acknowledged.length && isOk(texts) && isTold
    }
    const grownKb = (await product.memoryKb()) - before
    return { told: `${lines.join('\n    ')}\n    ${grownKb} kB more memory`, isGood }
  } finally {
    await product.stop()
    await stop()
  }
}

/** Clients that stop without closing their connection, as after a power cut: the server drops them. */
const halfOpen = () =>
  withProduct(async (product) => {
    await product.ask('PUT', '/api/upload-direct/large.bin?slug=large', { body: randomBytes(64 * MIB) })
    const fetchers = Array.from({ length: 20 }, () =>
      spawn('curl', [
        '--silent',
        '--output',
        '/dev/null',
        '--limit-rate',
        '50k',
        `${product.origin}/api/file-download/large`,
      ]),
    )
    await sleep(2000)
    for (const { pid } of fetchers) if (pid !== undefined) process.kill(pid, 'SIGSTOP')
    const connections = async () =>
      (await run('sh', ['-c', `ls -l /proc/${product.pid}/fd | grep -c socket`])).stdout.trim()
    const during = await connections()
    const startedAt = performance.now()
    let left = Number(during)
    while (performance.now() - startedAt < 270_000 && left > Number(during) - 20) {
      await sleep(2000)
      left = Number(await connections())
    }
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    const reply = await share(product)
    for (const child of fetchers) child.kill('SIGKILL')
    return {
      told: `20 readers stopped in the middle: ${during} sockets, ${left} after ${seconds} s; a text ${reply.status}`,
      isGood: isOk(reply) && left <= Number(during) - 20,
    }
  })

const FAULTS: ReadonlyArray<readonly [string, () => Promise<Report>]> = [
  ['idle connections', idleConnections],
  ['slow readers', slowReaders],
  ['full disk', fullDisk],
  ['locked database', lockedDatabase],
  ['clock jumps', clockJump],
  ['broken bucket', brokenBucket],
  ['heads without an end', slowHeads],
  ['bodies that stop', stuckWriters],
  ['half-open connections', halfOpen],
]

const ONLY = choice(
  'ONLY',
  FAULTS.map(([name]) => name),
  null,
)
if (process.getuid?.() !== 0) stopWith('Only root can make a small disk and a gateway.')
for (const [name, inject] of FAULTS) {
  if (ONLY !== null && ONLY !== name) continue
  try {
    const { told, isGood } = await inject()
    console.log(`${isGood ? 'ok ' : 'BAD'} ${name}: ${told}`)
    if (!isGood) process.exitCode = 1
  } catch (error) {
    console.log(`BAD ${name}: ${String(error)}`)
    process.exitCode = 1
  }
}
process.exit()
