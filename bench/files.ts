import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startGateway } from './lib/gateway.ts'
import { makeLargeFile } from './lib/large-file.ts'
import { type DirectGateway, openDirect, type Side, startApache, startNginx } from './lib/limits.ts'
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
import { addBucket, baseUrl, openProduct, type Product } from './lib/product.ts'
import { choice, wholeNumber } from './lib/settings.ts'
import { ownFolder } from './lib/undo.ts'

/**
 * Benchmarks file shares that are created by raw `PUT`. Uploads and downloads one file of `SIZE` (1 GiB) with `curl`.
 * Measures the times to its first byte and for 1 MiB from its middle. Then uploads `FILES` (2000) files of 10 kB over 8
 * connections.
 * - On the local disk, runs with the default settings and with `FSYNC=never`, compared with Apache's `mod_dav` and
 *   nginx, which do not sync.
 * - With `STORAGE=s3`, runs on a new Ceph gateway, compared with the gateway itself.
 * Runs `ROUNDS` (3), alternating between the sides. `BASE_URL` selects a running server, whose default storage is used
 * unless `STORAGE` is `s3`.
 * Starts with `WARM` (5000) small files and an unmeasured round, because a new server has compiled no code yet.
 */

const RANGE_BYTES = 1024 ** 2
const SIZE = wholeNumber('SIZE', 1024 ** 3, { least: RANGE_BYTES })
const FILES = wholeNumber('FILES', 2000)
const ROUNDS = wholeNumber('ROUNDS', 3)
const WARM = wholeNumber('WARM', 5000, { least: 0 })
const ON_S3 = choice('STORAGE', ['disk', 's3'], 'disk') === 's3'
/**
 * Number of the first round, which is not measured. After the warm-up with small files, the code for large files is
 * not JIT-compiled yet.
 */
const UNMEASURED = -1
const AT_ONCE = 8
const RANGES = 20
const SMALL = Buffer.alloc(10_000, 'small')

interface Place {
  readonly name: string
  readonly pid: number | null
  readonly headers: Target['headers']
  /** @returns the duration of the upload, and the URL to download the file from */
  putLarge(name: string, file: string): Promise<{ seconds: number; address: string }>
  putSmall(name: string): Promise<unknown>
  remove(name: string): Promise<unknown>
}

const uploading = (file: string) => ['--header', 'Expect:', '--upload-file', file]
const small = { body: SMALL, headers: { 'content-length': SMALL.length } }

/** Wraps a server that stores each file under its own name. */
const fileServer = ({ name, url, pid }: Side): Place => {
  const target = { name, url, headers: {} }
  return {
    name,
    pid,
    headers: {},
    async putLarge(file, from) {
      const { seconds } = await curl(url + file, uploading(from))
      return { seconds, address: url + file }
    },
    putSmall: (file) => send(target, 'PUT', file, small),
    // Removes nothing, because the next round overwrites the file.
    remove: async () => undefined,
  }
}

/** Wraps the gateway itself, with URLs signed in advance. */
async function directPlace(direct: DirectGateway, endpointUrl: string): Promise<Place> {
  const signed = new Map<string, string>()
  const target = { name: 'the gateway itself', url: endpointUrl, headers: {} }
  return {
    name: target.name,
    pid: null,
    headers: {},
    async putLarge(name, file) {
      const { seconds } = await curl(await direct.put(name), uploading(file))
      return { seconds, address: await direct.get(name) }
    },
    async putSmall(name) {
      const known = signed.get(name) ?? (await direct.put(name))
      signed.set(name, known)
      return send(target, 'PUT', known, small)
    },
    remove: async () => undefined,
  }
}

interface Uploaded {
  readonly data: { readonly slug: string; readonly proxy_download_url?: string }
}

async function sharePlace(product: Product, storageId: string | null, name = 'Dropleaf'): Promise<Place> {
  const { headers } = await product.createKey()
  const target = { name, url: product.url, headers }
  const query = storageId === null ? '' : `?s3_config_id=${storageId}`
  const slugs = new Map<string, string>()
  return {
    name: target.name,
    pid: product.pid,
    headers,
    async putLarge(name, file) {
      const url = `${product.url}api/upload-direct/${name}${query}`
      const { seconds, body } = await curl(url, uploading(file), { headers, output: '-' })
      const { data } = JSON.parse(body) as Uploaded
      slugs.set(name, data.slug)
      return { seconds, address: `${product.url}api/file-download/${data.slug}` }
    },
    putSmall: (name) => send(target, 'PUT', `api/upload-direct/${name}${query}`, small),
    async remove(name) {
      const { id } = await product.call<{ id: string }>('GET', `api/admin/files/${slugs.get(name)}`)
      await product.call('DELETE', 'api/admin/files/batch-delete', { ids: [id] })
    },
  }
}

async function rangeMs(address: string): Promise<number> {
  const from = Math.min(Math.floor(SIZE / 2), SIZE - RANGE_BYTES)
  const range = `bytes=${from}-${from + RANGE_BYTES - 1}`
  const times: number[] = []
  for (let turn = 0; turn < RANGES; turn += 1)
    times.push(
      await timed(async () => {
        const got = await send({ name: address, url: address, headers: {} }, 'GET', address, {
          headers: { range },
        })
        if (got.length !== RANGE_BYTES)
          throw new Error(`${address}: ${got.length} bytes instead of the range.`)
      }),
    )
  return median(times)
}

async function warmUp(place: Place, anyFile: string): Promise<void> {
  await inParallel(WARM, AT_ONCE, (index) => place.putSmall(`warm-${index}.bin`))
  const name = 'warm.bin'
  const { address } = await place.putLarge(name, anyFile)
  for (let turn = 0; turn < RANGES; turn += 1) await curl(address, [])
  await place.remove(name)
}

async function measure(place: Place, round: number, largeFile: string) {
  const name = 'large.bin'
  const up = await watching(place.pid, () => place.putLarge(name, largeFile))
  const { address } = up.result
  const down = await watching(place.pid, () => curl(address, []))
  const ranges = await rangeMs(address)
  await place.remove(name)
  const many = await watching(place.pid, () =>
    timed(() => inParallel(FILES, AT_ONCE, (index) => place.putSmall(`many-${round}-${index}.bin`))),
  )
  return {
    upMb: SIZE / 1e6 / up.result.seconds,
    upPeakMb: up.peakMb,
    upCpu: up.cpu,
    downMb: SIZE / 1e6 / down.result.seconds,
    firstByteMs: down.result.firstByteMs,
    downPeakMb: down.peakMb,
    rangeMs: ranges,
    filesPerSecond: FILES / (many.result / 1000),
    filesCpu: many.cpu && (many.cpu / FILES) * 1000,
    filesPeakMb: many.peakMb,
  }
}

const { path: folder } = ownFolder()
await chmod(folder, 0o755)
const stops: Array<() => Promise<unknown>> = []
try {
  const largeFile = await makeLargeFile(folder, SIZE)
  const smallFile = join(folder, 'small.bin')
  await writeFile(smallFile, SMALL)
  const open = async (env?: Record<string, string>) => {
    const product = await openProduct(env)
    stops.unshift(async () => product[Symbol.asyncDispose]())
    await product.allowFilesOf(SIZE)
    return product
  }
  const product = await open()
  const own: Place[] = []
  const limits: Place[] = []
  let tidyUp: () => Promise<unknown> = () => Promise.resolve()
  if (ON_S3) {
    const ceph = await startGateway()
    stops.push(() => ceph.stop())
    // The gateway stores everything in memory. Without this call, it retains deleted objects for hours.
    tidyUp = () => ceph.collectGarbage()
    const direct = await openDirect(ceph.gateway)
    stops.unshift(async () => direct[Symbol.asyncDispose]())
    const { storageId } = await addBucket(product, ceph.gateway)
    own.push(await sharePlace(product, storageId))
    limits.push(await directPlace(direct, ceph.gateway.endpointUrl))
  } else {
    own.push(await sharePlace(product, null))
    if (baseUrl() === undefined)
      own.push(await sharePlace(await open({ FSYNC: 'never' }), null, 'Dropleaf, FSYNC=never'))
    for (const start of [startApache, startNginx]) {
      const side = await start(join(folder, start.name))
      if (!side) continue
      stops.unshift(side.stop)
      limits.push(fileServer(side))
    }
  }
  const table = createTable({
    upMb: 'upload, MB/s',
    upPeakMb: 'peak, MB',
    upCpu: 'CPU s',
    downMb: 'download, MB/s',
    firstByteMs: 'first byte, ms',
    downPeakMb: 'peak, MB',
    rangeMs: '1 MiB range, ms',
    filesPerSecond: '10 kB files, a second',
    filesCpu: 'CPU s per 1,000',
    filesPeakMb: 'peak, MB',
  })
  const places = [...own, ...limits]
  for (const place of places) await warmUp(place, smallFile)
  for (let round = UNMEASURED; round < ROUNDS; round += 1)
    for (const place of places) {
      const figures = await measure(place, round, largeFile)
      if (round >= 0) table.add(place.name, figures)
      await tidyUp()
    }
  table.print(
    `files, ${ON_S3 ? 'gateway' : 'local disk'}, ${SIZE} bytes, ${ROUNDS} rounds`,
    own.flatMap((one) => limits.map((limit) => [one.name, limit.name] as const)),
  )
} finally {
  for (const stop of stops) await stop()
  connections.close()
}
