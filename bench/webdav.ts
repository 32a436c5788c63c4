import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../packages/storage/src/testing/free-port.ts'
import { startGateway } from './lib/gateway.ts'
import { makeLargeFile } from './lib/large-file.ts'
import { type DirectGateway, end, openDirect, type Side, startApache, startBare } from './lib/limits.ts'
import {
  connections,
  createTable,
  curl,
  inParallel,
  median,
  send,
  type Target,
  timed,
  watching,
} from './lib/measure.ts'
import { addBucket, baseUrl, directS3, type Gateway, openProduct } from './lib/product.ts'
import { choice, wholeNumber } from './lib/settings.ts'
import { ownFolder } from './lib/undo.ts'

/**
 * Benchmarks the network drive on the local disk, or with `STORAGE=s3` on a new Ceph gateway. On the disk, compares it
 * with Apache's `mod_dav` (Debian's `apache2`). Apache does not sync, so the drive runs with its default settings and
 * with `FSYNC=never`. On S3, compares it with the gateway itself, and with `rclone serve webdav` in front of the
 * gateway (Debian's `rclone`). For small files, also compares it with a bare Node.js server that forwards them. Missing
 * programs are skipped. Each of `ROUNDS` (3) alternates between the sides. A round runs a `PROPFIND` of `ENTRIES`
 * (1000) files ten times, and uploads `FILES` (1000) files of 10 KiB over `AT_ONCE` (4) connections. It also uploads
 * and downloads one file of `SIZE` (1 GiB) with `curl`. Before the rounds, each side gets `WARM` (10000) small files,
 * because a new server has compiled no code yet. The rate of the first `FILES` of these is reported. Prints medians.
 * `BASE_URL` selects a running server, where a new folder or bucket is used.
 */

const ENTRIES = wholeNumber('ENTRIES', 1000)
const FILES = wholeNumber('FILES', 1000)
const SIZE = wholeNumber('SIZE', 1024 ** 3)
const WARM = wholeNumber('WARM', 10_000, { least: 0 })
const AT_ONCE = wholeNumber('AT_ONCE', 4)
const ROUNDS = wholeNumber('ROUNDS', 3)
const ON_S3 = choice('STORAGE', ['disk', 's3'], 'disk') === 's3'
const SMALL = Buffer.alloc(10 * 1024, 'small')
const LISTINGS = 10
const RCLONE = '/usr/bin/rclone'

/** Transfer rate of a file, in megabytes per second. */
const rateOf = ({ seconds }: { seconds: number }) => SIZE / 1e6 / seconds

const upload = async (url: string, file: string, headers: Target['headers'] = {}) =>
  rateOf(await curl(url, ['--header', 'Expect:', '--upload-file', file], { headers }))

const download = async (url: string, headers: Target['headers'] = {}) =>
  rateOf(await curl(url, [], { headers }))

const putSmall = (side: Target, path: string) =>
  send(side, 'PUT', path, { body: SMALL, headers: { 'content-length': SMALL.length } })

async function putMany(side: Side, folder: string, files: number): Promise<void> {
  await send(side, 'MKCOL', folder)
  await inParallel(files, AT_ONCE, (index) => putSmall(side, `${folder}${index}.bin`))
}

interface Figures {
  readonly firstPutsPerSecond: number
  readonly propfindMs: number
  readonly putsPerSecond: number
  readonly putMbPerSecond: number
  readonly getMbPerSecond: number
  /** Peak memory while the large file is transferred. */
  readonly peakMb: number | null
}

/** Returns how many small files per second a side stores. */
async function putsOf(side: Side, folder: string): Promise<number> {
  return FILES / ((await timed(() => putMany(side, folder, FILES))) / 1000)
}

async function warmUp(side: Side): Promise<Partial<Figures>> {
  const firstPutsPerSecond = await putsOf(side, 'first/')
  await putMany(side, 'warm/', Math.max(0, WARM - FILES))
  await putMany(side, 'listed/', ENTRIES)
  return { firstPutsPerSecond }
}

async function measure(side: Side, round: number, largeFile: string): Promise<Partial<Figures>> {
  const putsPerSecond = await putsOf(side, `many-${round}/`)
  const listings: number[] = []
  for (let turn = 0; turn < LISTINGS; turn += 1)
    listings.push(await timed(() => send(side, 'PROPFIND', 'listed/', { headers: { depth: '1' } })))
  const { url, headers, pid } = side
  const up = await watching(pid, () => upload(`${url}large.bin`, largeFile, headers))
  const down = await watching(pid, () => download(`${url}large.bin`, headers))
  return {
    propfindMs: median(listings),
    putsPerSecond,
    putMbPerSecond: up.result,
    getMbPerSecond: down.result,
    peakMb: up.peakMb && Math.max(up.peakMb, down.peakMb ?? 0),
  }
}

async function startDrive({
  gateway,
  syncs = true,
}: {
  gateway: Gateway | null
  syncs?: boolean
}): Promise<Side> {
  const product = await openProduct({ FSYNC: syncs ? 'always' : 'never' })
  try {
    await product.allowFilesOf(SIZE)
    const bucket = gateway && (await addBucket(product, gateway))
    const { key } = await product.createKey()
    const path = bucket?.mountPath ?? (await product.makeFolder())
    return {
      name: syncs ? 'Dropleaf' : 'Dropleaf, FSYNC=never',
      url: `${product.url}dav${path}/`,
      headers: { authorization: `Basic ${Buffer.from(`bench:${key}`).toString('base64')}` },
      pid: product.pid,
      stop: async () => product[Symbol.asyncDispose](),
    }
  } catch (error) {
    await product[Symbol.asyncDispose]()
    throw error
  }
}

/** Uploads small files to URLs that were signed in advance, which shows the limit of the gateway alone. */
async function putSigned(direct: DirectGateway, endpointUrl: string, folder: string): Promise<number> {
  const urls = await Promise.all(Array.from({ length: FILES }, (_, at) => direct.put(`${folder}/${at}.bin`)))
  const side = { name: 'the gateway itself', url: endpointUrl, headers: {} }
  const ms = await timed(() => inParallel(FILES, AT_ONCE, (index) => putSmall(side, urls[index] ?? '')))
  return FILES / (ms / 1000)
}

/** Starts rclone with default settings, without a password. */
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
  // rclone also reads settings from the environment, so it gets only `HOME`.
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

/** Measures the gateway alone: small PUTs, one PUT and one GET of the large file. */
async function measureGateway(
  direct: DirectGateway,
  o: { endpointUrl: string; round: number; largeFile: string },
): Promise<Partial<Figures>> {
  return {
    putsPerSecond: await putSigned(direct, o.endpointUrl, `many-${o.round}`),
    putMbPerSecond: await upload(await direct.put('large.bin'), o.largeFile),
    getMbPerSecond: await download(await direct.get('large.bin')),
  }
}

const { path: folder } = ownFolder()
await chmod(folder, 0o755)
const ceph = ON_S3 ? await startGateway() : null
const sides: Side[] = []
const GATEWAY = 'the gateway itself'
try {
  const table = createTable({
    firstPutsPerSecond: `PUT of 10 kB, a second, the first ${FILES}`,
    propfindMs: `PROPFIND of ${ENTRIES}, ms`,
    putsPerSecond: 'PUT of 10 kB, a second',
    putMbPerSecond: 'PUT, MB/s',
    getMbPerSecond: 'GET, MB/s',
    peakMb: 'peak, MB',
  })
  const largeFile = await makeLargeFile(folder, SIZE)
  sides.push(await startDrive({ gateway: ceph?.gateway ?? null }))
  if (!ceph) {
    // Starts another server with other settings, unless `BASE_URL` selects a running server.
    if (baseUrl() === undefined) sides.push(await startDrive({ gateway: null, syncs: false }))
    const apache = await startApache(join(folder, 'apache'))
    if (apache) sides.push(apache)
  } else if (existsSync(RCLONE)) {
    sides.push(await startRclone(folder, ceph.gateway))
  }
  const whole = [...sides]
  const direct = ceph && (await openDirect(ceph.gateway))
  // This server only forwards, which shows the minimum cost of a server between client and gateway.
  const forwarder =
    direct &&
    (await startBare('a bare Node.js server before it', './bare-forwarder.ts', {
      BUCKET: JSON.stringify(direct.bucket),
    }))
  if (forwarder) sides.push(forwarder)
  for (const side of sides) table.add(side.name, await warmUp(side))
  // These rounds are not measured, because code that is optimized for small files is recompiled during the first large
  // files and listings.
  for (const round of [-2, -1]) {
    for (const side of whole) await measure(side, round, largeFile)
    await ceph?.collectGarbage()
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const side of whole) table.add(side.name, await measure(side, round, largeFile))
    if (forwarder) table.add(forwarder.name, { putsPerSecond: await putsOf(forwarder, `many-${round}/`) })
    if (!ceph || !direct) continue
    const { endpointUrl } = ceph.gateway
    table.add(GATEWAY, await measureGateway(direct, { endpointUrl, round, largeFile }))
    await ceph.collectGarbage()
  }
  await direct?.[Symbol.asyncDispose]()
  const limits = ['Apache mod_dav', 'rclone serve webdav', GATEWAY]
  table.print(
    `${ON_S3 ? 'gateway' : 'local disk'}, ${SIZE} bytes, ${ROUNDS} rounds`,
    limits.map((limit) => ['Dropleaf', limit]),
  )
} finally {
  for (const side of sides) await side.stop()
  connections.close()
  await ceph?.stop()
}
