import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { S3 } from '@aws-sdk/client-s3'
import { startServer } from '../apps/server/src/testing/server-process.ts'
import { startCephGateway } from '../packages/storage/src/testing/ceph-gateway.ts'
import { createS3Driver, parseStorageKey } from '../packages/storage/src/index.ts'
import { quantile } from './target.ts'

/**
 * The network drive on the local disk, or with `STORAGE=s3` on a Ceph gateway that it starts, beside what limits it: Apache
 * with `mod_dav` on the same disk (Debian's `apache2`, left out where it is missing), or the gateway itself. A `PROPFIND` of
 * `ENTRIES` (1000) files, `FILES` (1000) files of 10 kB at 4 connections, one file of `SIZE` (1 GiB) there and back.
 */

const ENTRIES = Number(process.env.ENTRIES ?? 1000)
const FILES = Number(process.env.FILES ?? 1000)
const SIZE = Number(process.env.SIZE ?? 1024 ** 3)
const ON_S3 = process.env.STORAGE === 's3'
const SMALL = Buffer.alloc(10 * 1024, 'small')
const CHUNK = randomBytes(1024 ** 2)
const AT_ONCE = 4
const ROUNDS = 20
const PASSWORD = 'only for the benchmark'

const agent = new Agent({ keepAlive: true })

interface Side extends AsyncDisposable {
  readonly name: string
  /** Of a folder, with a slash at its end. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly pid: number
}

interface Sent {
  readonly body?: Buffer | Readable
  readonly headers?: Readonly<Record<string, string | number>>
}

/** One request to its last byte. @throws {Error} unless it answers with a status of 2xx */
function send(
  side: Pick<Side, 'name' | 'url' | 'headers'>,
  method: string,
  path: string,
  { body, headers = {} }: Sent = {},
): Promise<number> {
  return new Promise((resolve, reject) => {
    const url = new URL(path, side.url)
    const call = request(url, { method, agent, headers: { ...side.headers, ...headers } }, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
      answer.on('end', () => {
        const status = answer.statusCode ?? 0
        if (status >= 200 && status < 300) resolve(bytes)
        else reject(new Error(`${side.name}: ${method} ${path} answered ${status}.`))
      })
    })
    call.on('error', reject)
    if (body instanceof Readable) body.pipe(call)
    else call.end(body)
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

function* chunks(sizeBytes: number): Generator<Buffer> {
  for (let left = sizeBytes; left > 0; left -= CHUNK.length)
    yield CHUNK.subarray(0, Math.min(left, CHUNK.length))
}

const large = () => Readable.from(chunks(SIZE), { objectMode: false, highWaterMark: CHUNK.length })

async function putMany(side: Side, folder: string, files: number): Promise<void> {
  await send(side, 'MKCOL', folder)
  let next = 0
  const work = async () => {
    while (next < files) {
      const at = next
      next += 1
      await send(side, 'PUT', `${folder}${at}.bin`, {
        body: SMALL,
        headers: { 'content-length': SMALL.length },
      })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

interface Figures {
  readonly propfindMs: number
  readonly putsPerSecond: number
  readonly putMbPerSecond: number
  readonly getMbPerSecond: number
  readonly peakKb: number
}

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1])
}

async function measure(side: Side): Promise<Figures> {
  // The first ones warm up.
  await putMany(side, 'warm/', 200)
  const puts = await timed(() => putMany(side, 'many/', FILES))
  await putMany(side, 'listed/', ENTRIES)
  const listings: number[] = []
  for (let round = 0; round < ROUNDS; round += 1)
    listings.push(await timed(() => send(side, 'PROPFIND', 'listed/', { headers: { depth: '1' } })))
  const headers = { 'content-length': SIZE }
  const put = await timed(() => send(side, 'PUT', 'large.bin', { body: large(), headers }))
  const get = await timed(() => send(side, 'GET', 'large.bin'))
  const megabytes = SIZE / 1e6
  return {
    propfindMs: quantile(
      listings.sort((a, b) => a - b),
      0.5,
    ),
    putsPerSecond: FILES / (puts / 1000),
    putMbPerSecond: megabytes / (put / 1000),
    getMbPerSecond: megabytes / (get / 1000),
    peakKb: await peakOf(side.pid),
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number }
      probe.close(() => resolve(port))
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

async function startApache(folder: string): Promise<Side> {
  const port = await freePort()
  const files = join(folder, 'files')
  await mkdir(files, { recursive: true })
  await chmod(folder, 0o755)
  await chmod(files, 0o777)
  const modules = ['mpm_event', 'authz_core', 'dav', 'dav_fs']
  const lines = [
    `ServerName localhost`,
    `Listen 127.0.0.1:${port}`,
    `PidFile ${folder}/pid`,
    `ErrorLog ${folder}/error.log`,
    ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    'User www-data',
    'Group www-data',
    `DocumentRoot ${files}`,
    `DavLockDB ${files}/.locks`,
    `<Directory ${files}>`,
    'Require all granted',
    'Dav On',
    'LimitRequestBody 0',
    '</Directory>',
  ]
  await writeFile(join(folder, 'apache.conf'), lines.join('\n'))
  const child = spawn('/usr/sbin/apache2', ['-f', join(folder, 'apache.conf'), '-DFOREGROUND'], {
    stdio: 'inherit',
  })
  await sleep(1000)
  return {
    name: 'Apache mod_dav',
    url: `http://127.0.0.1:${port}/`,
    headers: {},
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: () => end(child),
  }
}

type Gateway = Awaited<ReturnType<typeof startCephGateway>>['gateway']

async function startDrive(folder: string, gateway: Gateway | null): Promise<Side> {
  const server = await startServer({
    DATA_DIR: folder,
    ADMIN_PASSWORD: PASSWORD,
    PORT: '0',
    HOST: '127.0.0.1',
  })
  let token = ''
  const call = async (path: string, body: object, method: 'POST' | 'PUT' = 'POST') => {
    const answer = await fetch(server.api + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return ((await answer.json()) as { data: { token: string; id: string; key: string } }).data
  }
  ;({ token } = await call('/admin/login', { username: 'admin', password: PASSWORD }))
  await call('/admin/system-settings', { max_upload_size: 100 * 1024 }, 'PUT')
  if (gateway) {
    const s3 = directS3(gateway)
    await s3.createBucket({ Bucket: 'drive' })
    const { id } = await call('/s3-configs', {
      name: 'Gateway',
      provider_type: 'Other',
      endpoint_url: gateway.endpointUrl,
      bucket_name: 'drive',
      access_key_id: gateway.accessKeyId,
      secret_access_key: gateway.secretAccessKey,
      path_style: true,
      is_public: true,
    })
    const mount = { name: 'gateway', storage_type: 'S3', storage_config_id: id, mount_path: '/s3' }
    await call('/admin/mounts', mount)
  }
  const { key } = await call('/admin/api-keys', {
    name: 'bench',
    mount_permission: true,
    expires_at: 'never',
  })
  return {
    name: 'Dropleaf',
    url: `${server.api.replace(/\/api$/, '/dav')}/${gateway ? 's3' : 'local'}/`,
    headers: { authorization: `Basic ${Buffer.from(`bench:${key}`).toString('base64')}` },
    pid: server.process.pid ?? 0,
    [Symbol.asyncDispose]: () => end(server.process),
  }
}

const directS3 = ({ endpointUrl, accessKeyId, secretAccessKey }: Gateway) =>
  new S3({
    endpoint: endpointUrl,
    region: 'us-east-1',
    forcePathStyle: true,
    // A checksum behind the body would hide its length.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    credentials: { accessKeyId, secretAccessKey },
  })

/** Small files to addresses that were signed before: what the gateway takes of a client that does nothing else. */
async function putSigned(gateway: Gateway, files: number): Promise<number> {
  const driver = await createS3Driver({
    ...gateway,
    provider: 'Other',
    bucket: 'direct',
    region: 'us-east-1',
    pathStyle: true,
    customHost: null,
  })
  const keys = Array.from({ length: files }, (_, at) => parseStorageKey(`${files}/${at}.bin`))
  const urls = await Promise.all(keys.map((key) => driver.links.put(key, { expiresInSeconds: 3600 })))
  const side = { name: 'the gateway itself', url: gateway.endpointUrl, headers: {} }
  const work = async () => {
    for (let url = urls.pop(); url !== undefined; url = urls.pop())
      await send(side, 'PUT', url, { body: SMALL, headers: { 'content-length': SMALL.length } })
  }
  const ms = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, work)))
  await driver.close()
  return files / (ms / 1000)
}

/** The gateway by itself: small PUTs, one PUT and one GET of the large file. */
async function measureGateway(
  gateway: Gateway,
): Promise<Pick<Figures, 'putsPerSecond' | 'putMbPerSecond' | 'getMbPerSecond'>> {
  const s3 = directS3(gateway)
  await s3.createBucket({ Bucket: 'direct' })
  await putSigned(gateway, 200)
  const putsPerSecond = await putSigned(gateway, FILES)
  const put = await timed(() =>
    s3.putObject({ Bucket: 'direct', Key: 'large.bin', Body: large(), ContentLength: SIZE }),
  )
  const get = await timed(async () => {
    const { Body } = await s3.getObject({ Bucket: 'direct', Key: 'large.bin' })
    for await (const _ of Body as Readable);
  })
  const megabytes = SIZE / 1e6
  return { putsPerSecond, putMbPerSecond: megabytes / (put / 1000), getMbPerSecond: megabytes / (get / 1000) }
}

const show = (
  name: string,
  { propfindMs, putsPerSecond, putMbPerSecond, getMbPerSecond, peakKb }: Partial<Figures>,
) => {
  const cells = [
    propfindMs?.toFixed(1),
    ...[putsPerSecond, putMbPerSecond, getMbPerSecond].map((one) => one?.toFixed(0)),
  ]
  console.log(
    `| ${[name, ...cells.map((cell) => cell ?? ''), peakKb?.toLocaleString('en-US') ?? ''].join(' | ')} |`,
  )
}

const folder = await mkdtemp(join(tmpdir(), 'dropleaf-bench-'))
await chmod(folder, 0o755)
const ceph = ON_S3 ? await startCephGateway() : null
try {
  const loads = loadavg().map((load) => load.toFixed(1))
  console.log(`${ON_S3 ? 'gateway' : 'local disk'}, ${SIZE} bytes, load average ${loads.join(' ')}`)
  console.log(`| | PROPFIND of ${ENTRIES}, ms | PUT of 10 kB, a second | PUT, MB/s | GET, MB/s | peak, kB |`)
  console.log('| --- | --: | --: | --: | --: | --: |')
  {
    await using drive = await startDrive(join(folder, 'drive'), ceph?.gateway ?? null)
    show(drive.name, await measure(drive))
  }
  if (ceph) show('the gateway itself', await measureGateway(ceph.gateway))
  else if (existsSync('/usr/sbin/apache2')) {
    await using apache = await startApache(join(folder, 'apache'))
    show(apache.name, await measure(apache))
  }
} finally {
  agent.destroy()
  await ceph?.stop()
  await rm(folder, { recursive: true, force: true })
}
