import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { S3 } from '@aws-sdk/client-s3'
import { startServer } from '../apps/server/src/testing/server-process.ts'
import { startCephGateway } from '../packages/storage/src/testing/ceph-gateway.ts'
import { freePort } from '../packages/storage/src/testing/free-port.ts'
import { createS3Driver, parseStorageKey, type StorageDriver } from '../packages/storage/src/index.ts'
import { quantile } from './target.ts'

/**
 * The network drive on the local disk, or with `STORAGE=s3` on a Ceph gateway that it starts, beside what limits it: Apache
 * with `mod_dav` on the same disk (Debian's `apache2`), or the gateway itself, `rclone serve webdav` before it (Debian's
 * `rclone`) and, for small files, a Node.js server that does nothing but pass them on. Programs that are missing are left
 * out. `mod_dav` leaves it to the system when files reach the medium, so the drive runs both ways, as it comes and with `DISK_SYNC=false`.
 * Each of `ROUNDS` (3) has, for all sides in turn: a `PROPFIND` of `ENTRIES` (1000) files ten times, `FILES` (1000) files of 10 kB at
 * `AT_ONCE` (4) connections, and one file of `SIZE` (1 GiB) there and back by `curl`. Medians of the rounds, after `WARM` (1500)
 * small files for each side.
 */

const ENTRIES = Number(process.env.ENTRIES ?? 1000)
const FILES = Number(process.env.FILES ?? 1000)
const SIZE = Number(process.env.SIZE ?? 1024 ** 3)
const WARM = Number(process.env.WARM ?? 1500)
const AT_ONCE = Number(process.env.AT_ONCE ?? 4)
const ROUNDS = Number(process.env.ROUNDS ?? 3)
const ON_S3 = process.env.STORAGE === 's3'
const SMALL = Buffer.alloc(10 * 1024, 'small')
const LISTINGS = 10
const PASSWORD = 'only for the benchmark'
const RCLONE = '/usr/bin/rclone'

const run = promisify(execFile)
const agent = new Agent({ keepAlive: true })

/** Whatever files can be put to by HTTP. */
interface Target {
  readonly name: string
  /** Of a folder, with a slash at its end. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

interface Side extends Target {
  readonly pid: number
  readonly stop: () => Promise<void>
}

interface Sent {
  readonly body?: Buffer
  readonly headers?: Readonly<Record<string, string | number>>
}

/** One request to its last byte. @throws {Error} unless it answers with a status of 2xx */
function send(
  side: Target,
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
    call.end(body)
  })
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Megabytes a second of one file by `curl`, which costs both sides the least. */
async function carry(url: string, args: readonly string[], headers: Target['headers'] = {}): Promise<number> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const common = [
    '--silent',
    '--show-error',
    '--fail',
    '--output',
    '/dev/null',
    '--write-out',
    '%{time_total}',
  ]
  const { stdout } = await run('curl', [...common, ...given, ...args, url])
  return SIZE / 1e6 / Number(stdout)
}

const upload = (url: string, file: string, headers?: Target['headers']) =>
  carry(url, ['--header', 'Expect:', '--upload-file', file], headers)

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
}

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1])
}

const median = (values: readonly number[]) =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  )

async function warmUp(side: Side): Promise<void> {
  await putMany(side, 'warm/', WARM)
  await putMany(side, 'listed/', ENTRIES)
}

/** Small files, as many as it takes in a second. */
async function putsOf(side: Side, folder: string): Promise<number> {
  return FILES / ((await timed(() => putMany(side, folder, FILES))) / 1000)
}

async function measure(side: Side, round: number, largeFile: string): Promise<Figures> {
  const putsPerSecond = await putsOf(side, `many-${round}/`)
  const listings: number[] = []
  for (let turn = 0; turn < LISTINGS; turn += 1)
    listings.push(await timed(() => send(side, 'PROPFIND', 'listed/', { headers: { depth: '1' } })))
  const { url, headers } = side
  return {
    propfindMs: median(listings),
    putsPerSecond,
    putMbPerSecond: await upload(`${url}large.bin`, largeFile, headers),
    getMbPerSecond: await carry(`${url}large.bin`, [], headers),
  }
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
    stop: () => end(child),
  }
}

type Gateway = Awaited<ReturnType<typeof startCephGateway>>['gateway']

async function startDrive(
  folder: string,
  { gateway, syncs = true }: { gateway: Gateway | null; syncs?: boolean },
): Promise<Side> {
  const server = await startServer({
    DATA_DIR: folder,
    ADMIN_PASSWORD: PASSWORD,
    DISK_SYNC: String(syncs),
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
    name: syncs ? 'Dropleaf' : 'Dropleaf, DISK_SYNC=false',
    url: `${server.api.replace(/\/api$/, '/dav')}/${gateway ? 's3' : 'local'}/`,
    headers: { authorization: `Basic ${Buffer.from(`bench:${key}`).toString('base64')}` },
    pid: server.process.pid ?? 0,
    stop: () => end(server.process),
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
async function putSigned(driver: StorageDriver, endpointUrl: string, folder: string): Promise<number> {
  const keys = Array.from({ length: FILES }, (_, at) => parseStorageKey(`${folder}/${at}.bin`))
  const urls = await Promise.all(keys.map((key) => driver.links.put(key, { expiresInSeconds: 3600 })))
  const side = { name: 'the gateway itself', url: endpointUrl, headers: {} }
  const work = async () => {
    for (let url = urls.pop(); url !== undefined; url = urls.pop())
      await send(side, 'PUT', url, { body: SMALL, headers: { 'content-length': SMALL.length } })
  }
  const ms = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, work)))
  return FILES / (ms / 1000)
}

const directBucket = (gateway: Gateway) =>
  ({
    ...gateway,
    provider: 'Other',
    bucket: 'direct',
    region: 'us-east-1',
    pathStyle: true,
    customHost: null,
  }) as const

async function openGateway(gateway: Gateway): Promise<StorageDriver> {
  await directS3(gateway).createBucket({ Bucket: 'direct' })
  return createS3Driver(directBucket(gateway))
}

/** The least that stands between a client and the gateway. */
async function startForwarder(gateway: Gateway): Promise<Side> {
  const child = spawn(process.execPath, [new URL('./bare-forwarder.ts', import.meta.url).pathname], {
    env: { ...process.env, BUCKET: JSON.stringify(directBucket(gateway)) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = (await once(child.stdout, 'data')) as [Buffer]
  return {
    name: 'a bare Node.js server before it',
    url: `http://127.0.0.1:${port.toString().trim()}/`,
    headers: {},
    pid: child.pid ?? 0,
    stop: () => end(child),
  }
}

/** As it comes, and without a password. */
async function startRclone(folder: string, gateway: Gateway): Promise<Side> {
  await directS3(gateway).createBucket({ Bucket: 'peer' })
  const config = join(folder, 'rclone.conf')
  const lines = [
    '[gateway]',
    'type = s3',
    'provider = Ceph',
    `endpoint = ${gateway.endpointUrl}`,
    `access_key_id = ${gateway.accessKeyId}`,
    `secret_access_key = ${gateway.secretAccessKey}`,
  ]
  await writeFile(config, lines.join('\n'))
  const port = await freePort()
  const args = ['serve', 'webdav', 'gateway:peer', '--addr', `127.0.0.1:${port}`, '--config', config]
  // It takes settings from the environment, too.
  const child = spawn(RCLONE, args, { env: { HOME: folder }, stdio: ['ignore', 'ignore', 'inherit'] })
  await sleep(2000)
  return {
    name: 'rclone serve webdav',
    url: `http://127.0.0.1:${port}/`,
    headers: {},
    pid: child.pid ?? 0,
    stop: () => end(child),
  }
}

/** The gateway by itself: small PUTs, one PUT and one GET of the large file. */
async function measureGateway(
  driver: StorageDriver,
  o: { endpointUrl: string; round: number; largeFile: string },
): Promise<Partial<Figures>> {
  const key = parseStorageKey('large.bin')
  const forAnHour = { expiresInSeconds: 3600 }
  return {
    putsPerSecond: await putSigned(driver, o.endpointUrl, `many-${o.round}`),
    putMbPerSecond: await upload(await driver.links.put(key, forAnHour), o.largeFile),
    getMbPerSecond: await carry(await driver.links.get(key, forAnHour), []),
  }
}

function show(name: string, rounds: ReadonlyArray<Partial<Figures>>, peakKb?: number): void {
  const cell = (of: keyof Figures, digits: number) => {
    const values = rounds.flatMap((round) => round[of] ?? [])
    return values.length === 0 ? '' : median(values).toFixed(digits)
  }
  const cells = [
    cell('propfindMs', 1),
    cell('putsPerSecond', 0),
    cell('putMbPerSecond', 0),
    cell('getMbPerSecond', 0),
  ]
  console.log(`| ${[name, ...cells, peakKb?.toLocaleString('en-US') ?? ''].join(' | ')} |`)
}

const folder = await mkdtemp(join(tmpdir(), 'dropleaf-bench-'))
await chmod(folder, 0o755)
const ceph = ON_S3 ? await startCephGateway() : null
const sides: Side[] = []
try {
  const loads = loadavg().map((load) => load.toFixed(1))
  const largeFile = join(folder, 'large.bin')
  await run('sh', ['-c', 'head -c "$1" /dev/urandom > "$2"', 'sh', String(SIZE), largeFile])
  sides.push(await startDrive(join(folder, 'drive'), { gateway: ceph?.gateway ?? null }))
  if (!ceph) {
    sides.push(await startDrive(join(folder, 'unsynced'), { gateway: null, syncs: false }))
    if (existsSync('/usr/sbin/apache2')) sides.push(await startApache(join(folder, 'apache')))
  } else if (existsSync(RCLONE)) {
    sides.push(await startRclone(folder, ceph.gateway))
  }
  const direct = ceph && (await openGateway(ceph.gateway))
  const gatewayRounds: Array<Partial<Figures>> = []
  const forwarder = ceph && (await startForwarder(ceph.gateway))
  const forwarderRounds: Array<Partial<Figures>> = []
  const rounds = new Map(sides.map((side): [Side, Figures[]] => [side, []]))
  if (forwarder) sides.push(forwarder)
  for (const side of sides) await warmUp(side)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [side, figures] of rounds) figures.push(await measure(side, round, largeFile))
    if (ceph && direct) {
      const { endpointUrl } = ceph.gateway
      gatewayRounds.push(await measureGateway(direct, { endpointUrl, round, largeFile }))
      if (forwarder) forwarderRounds.push({ putsPerSecond: await putsOf(forwarder, `many-${round}/`) })
    }
  }
  await direct?.close()
  console.log(
    `${ON_S3 ? 'gateway' : 'local disk'}, ${SIZE} bytes, ${ROUNDS} rounds, load average ${loads.join(' ')}`,
  )
  console.log(`| | PROPFIND of ${ENTRIES}, ms | PUT of 10 kB, a second | PUT, MB/s | GET, MB/s | peak, kB |`)
  console.log('| --- | --: | --: | --: | --: | --: |')
  for (const [side, figures] of rounds) show(side.name, figures, await peakOf(side.pid))
  if (forwarder) show(forwarder.name, forwarderRounds, await peakOf(forwarder.pid))
  if (gatewayRounds.length > 0) show('the gateway itself', gatewayRounds)
} finally {
  for (const side of sides) await side.stop()
  agent.destroy()
  await ceph?.stop()
  await rm(folder, { recursive: true, force: true })
}
