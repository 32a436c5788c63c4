import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { createConnections, quantile } from './lib/measure.ts'
import { openProduct } from './lib/product.ts'
import { decimal, wholeNumber } from './lib/settings.ts'

/**
 * Runs `CLIENTS` (200) clients for `MINUTES` (10), each with its own connection. Clients send a mix of reads and
 * writes to the whole product, one request after another, with a pause of up to `REST` (200) ms. Prints the latency
 * of each operation, all unsuccessful responses and the server's memory. The slope of the memory is measured in the
 * second half, because everything that is loaded once is in memory by then. Expected errors (a wrong password, a
 * deletion by another client) are listed with their code. Any other error makes the program exit with 1. `BASE_URL`
 * selects a running server, `DATABASE_URL` a PostgreSQL database.
 */

const CLIENTS = wholeNumber('CLIENTS', 200)
const MINUTES = decimal('MINUTES', 10, { least: 0.05 })
const REST_MS = wholeNumber('REST', 200, { least: 0 })
const FILES_KEPT = 2000
const FOLDERS = 8

interface Reply {
  readonly status: number
  readonly body: Buffer
}

interface Asking {
  readonly body?: Buffer | object
  readonly headers?: Readonly<Record<string, string>>
}

const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(Math.random() * from.length)]
const codeOf = ({ body }: Reply): string => /"code":"([\w.]+)"/.exec(body.toString('latin1'))?.[1] ?? ''

/** A client with its own connection. */
class Client {
  readonly #connection = createConnections(1)
  readonly #url: string
  readonly #credential: string

  constructor(url: string, credential: string) {
    this.#url = url
    this.#credential = credential
  }

  ask(method: string, path: string, { body, headers = {} }: Asking = {}): Promise<Reply> {
    const isJson = body !== undefined && !Buffer.isBuffer(body)
    const bytes = isJson ? Buffer.from(JSON.stringify(body)) : body
    return new Promise((resolve, reject) => {
      const call = this.#connection.request(
        new URL(path.slice(1), this.#url),
        {
          method,
          headers: {
            authorization: this.#credential,
            ...(isJson && { 'content-type': 'application/json' }),
            ...(bytes && { 'content-length': bytes.length }),
            ...headers,
          },
        },
        (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }))
          answer.on('error', reject)
        },
      )
      call.on('error', reject)
      call.end(bytes)
    })
  }

  close(): void {
    this.#connection.close()
  }
}

/** State shared by all clients. */
class World {
  readonly texts: string[] = []
  readonly shares: string[] = []
  readonly files: string[] = []
  /** Root folder of the files, on a mount. */
  readonly root: string
  /** Slug of a text with a password. */
  readonly locked: string
  /** Authorization header of the administrator. */
  readonly admin: string
  #count = 0

  constructor({ root, locked, admin }: Pick<World, 'root' | 'locked' | 'admin'>) {
    this.root = root
    this.locked = locked
    this.admin = admin
  }

  /** Returns a path in one of the folders below the root. */
  pathOf(name: string): string {
    return `${this.root}/${(name.codePointAt(0) ?? 0) % FOLDERS}/${name}`
  }

  anyFolder(): string {
    return `${this.root}/${Math.floor(Math.random() * FOLDERS)}`
  }

  nextName(): string {
    this.#count += 1
    return `${this.#count.toString(36)}-载入.bin`
  }

  /**
   * Adds a text, share or file to its list. If the list is too long, removes the oldest one from the list.
   * @returns the removed one
   */
  add(list: string[], value: string): string | undefined {
    list.push(value)
    return list.length > FILES_KEPT ? list.shift() : undefined
  }
}

interface Work {
  readonly name: string
  readonly weight: number
  /** Codes of expected errors, or statuses of expected errors without a code. */
  readonly refusals?: readonly string[]
  /** @returns `null` if there is no suitable text, share or file yet */
  readonly run: (client: Client, world: World) => Promise<Reply | null>
}

const SMALL = randomBytes(10 * 1024)
const TEXT = 'Dropleaf 剪贴板 '.repeat(60)
const query = (path: string) => `path=${encodeURIComponent(path)}`
const davOf = (path: string) => `/dav${path.split('/').map(encodeURIComponent).join('/')}`

const WORKS: readonly Work[] = [
  {
    name: 'text: create',
    weight: 10,
    async run(client, world) {
      const answer = await client.ask('POST', '/api/paste', { body: { content: TEXT + Math.random() } })
      const slug = /"slug":"([^"]+)"/.exec(answer.body.toString())?.[1]
      if (slug !== undefined) world.add(world.texts, slug)
      return answer
    },
  },
  {
    name: 'text: read',
    weight: 25,
    refusals: ['paste.not_found'],
    async run(client, { texts }) {
      const slug = pick(texts)
      return slug === undefined ? null : client.ask('GET', `/api/paste/${slug}`)
    },
  },
  {
    name: 'text: raw',
    weight: 10,
    refusals: ['paste.not_found'],
    async run(client, { texts }) {
      const slug = pick(texts)
      return slug === undefined ? null : client.ask('GET', `/api/raw/${slug}`)
    },
  },
  {
    name: 'text: wrong password',
    weight: 1,
    refusals: ['paste.password_wrong', 'request.rate_limited'],
    run: (client, { locked }) =>
      client.ask('POST', `/api/paste/${locked}`, { body: { password: 'a guess' } }),
  },
  {
    name: 'file share: upload 10 kB',
    weight: 5,
    async run(client, world) {
      const answer = await client.ask('PUT', `/api/upload-direct/${encodeURIComponent(world.nextName())}`, {
        body: SMALL,
      })
      const slug = /"slug":"([^"]+)"/.exec(answer.body.toString())?.[1]
      if (slug !== undefined) world.add(world.shares, slug)
      return answer
    },
  },
  {
    name: 'file share: download',
    weight: 8,
    async run(client, { shares }) {
      const slug = pick(shares)
      return slug === undefined ? null : client.ask('GET', `/api/file-download/${slug}`)
    },
  },
  {
    name: 'mount: upload 10 kB',
    weight: 5,
    async run(client, world) {
      const name = world.nextName()
      const path = world.pathOf(name)
      const answer = await client.ask('PUT', `/api/fs/upload?${query(path)}`, { body: SMALL })
      if (answer.status !== 200) return answer
      const tooMany = world.add(world.files, path)
      if (tooMany !== undefined)
        await client.ask('DELETE', '/api/fs/batch-remove', { body: { paths: [tooMany] } })
      return answer
    },
  },
  {
    name: 'mount: part of a file',
    weight: 8,
    refusals: ['fs.not_found'],
    async run(client, { files }) {
      const path = pick(files)
      const headers = { range: 'bytes=1000-2999' }
      return path === undefined ? null : client.ask('GET', `/api/fs/download?${query(path)}`, { headers })
    },
  },
  {
    name: 'mount: list a page',
    weight: 8,
    run: (client, world) => client.ask('GET', `/api/fs/list?${query(world.anyFolder())}&limit=100`),
  },
  {
    name: 'mount: search',
    weight: 4,
    run: (client) =>
      client.ask('GET', `/api/fs/search?q=${encodeURIComponent(pick(['载入', '1a', 'bin']) ?? '')}`),
  },
  {
    name: 'mount: rename',
    weight: 2,
    refusals: ['fs.not_found', 'fs.changed'],
    async run(client, world) {
      const oldPath = world.files.splice(Math.floor(Math.random() * world.files.length), 1)[0]
      if (oldPath === undefined) return null
      const newPath = world.pathOf(world.nextName())
      const answer = await client.ask('POST', '/api/fs/rename', { body: { oldPath, newPath } })
      if (answer.status === 200) world.add(world.files, newPath)
      return answer
    },
  },
  {
    name: 'drive: PROPFIND',
    weight: 4,
    run: (client, world) =>
      client.ask('PROPFIND', `${davOf(world.anyFolder())}/`, { headers: { depth: '1' } }),
  },
  {
    name: 'drive: PUT 10 kB',
    weight: 4,
    async run(client, world) {
      const name = world.nextName()
      const path = world.pathOf(name)
      const answer = await client.ask('PUT', davOf(path), { body: SMALL })
      if (answer.status >= 300) return answer
      const tooMany = world.add(world.files, path)
      if (tooMany !== undefined) await client.ask('DELETE', davOf(tooMany))
      return answer
    },
  },
  {
    name: 'drive: GET',
    weight: 4,
    refusals: ['404'],
    async run(client, { files }) {
      const path = pick(files)
      return path === undefined ? null : client.ask('GET', davOf(path))
    },
  },
  {
    name: 'panel: texts',
    weight: 2,
    run: (client, { admin }) =>
      client.ask('GET', '/api/admin/pastes?limit=20', { headers: { authorization: admin } }),
  },
]

/** All operations, each repeated according to its weight. */
const LOTS = WORKS.flatMap((work) => Array.from({ length: work.weight }, () => work))

async function memoryOf(pid: number): Promise<{ nowKb: number; peakKb: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const read = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1])
  return { nowKb: read('VmRSS'), peakKb: read('VmHWM') }
}

/** Returns the slope of the samples by least squares, in kB per minute. */
function slopeOf(samples: ReadonlyArray<{ atMs: number; kb: number }>): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanMs = mean(samples.map(({ atMs }) => atMs))
  const meanKb = mean(samples.map(({ kb }) => kb))
  const above = samples.reduce((sum, { atMs, kb }) => sum + (atMs - meanMs) * (kb - meanKb), 0)
  const below = samples.reduce((sum, { atMs }) => sum + (atMs - meanMs) ** 2, 0)
  return (above / below) * 60_000
}

await using product = await openProduct()
const { url, pid } = product
const latencies = new Map<string, number[]>(WORKS.map(({ name }) => [name, []]))
const refused = new Map<string, number>()
const faults = new Map<string, number>()
const note = (counts: Map<string, number>, what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)

async function createWorld(credential: string): Promise<World> {
  const root = await product.makeFolder()
  for (let at = 0; at < FOLDERS; at += 1)
    await product.call('POST', 'api/fs/mkdir', { path: `${root}/${at}` })
  const client = new Client(url, credential)
  const body = { content: 'locked', password: 'open sesame' }
  const locked = await client.ask('POST', '/api/paste', { body })
  client.close()
  const slug = /"slug":"([^"]+)"/.exec(locked.body.toString())?.[1] ?? ''
  return new World({ root, locked: slug, admin: `Bearer ${product.token}` })
}

/** Samples the server's memory. @returns a function that stops the sampling and prints the result */
function watchMemory(serverPid: number) {
  const samples: Array<{ atMs: number; kb: number }> = []
  const startedAtMs = performance.now()
  const watch = setInterval(() => {
    void memoryOf(serverPid).then(({ nowKb }) =>
      samples.push({ atMs: performance.now() - startedAtMs, kb: nowKb }),
    )
  }, 1000)
  return async () => {
    clearInterval(watch)
    const half = samples.filter(({ atMs }) => atMs > (MINUTES * 60_000) / 2)
    const { nowKb, peakKb } = await memoryOf(serverPid)
    const at = (share: number) => samples[Math.floor((samples.length - 1) * share)]?.kb
    console.log(
      `memory, kB: ${[0, 0.25, 0.5, 0.75].map(at).join(', ')}, end ${nowKb}, peak ${peakKb}; slope of the second half ${slopeOf(half).toFixed(0)} kB a minute`,
    )
  }
}

async function live(client: Client, world: World, endsAtMs: number): Promise<void> {
  while (performance.now() < endsAtMs) {
    const work = pick(LOTS)
    if (!work) return
    const startedAtMs = performance.now()
    try {
      const answer = await work.run(client, world)
      if (answer !== null) {
        latencies.get(work.name)?.push(performance.now() - startedAtMs)
        const code = codeOf(answer) || String(answer.status)
        const isRefusal = work.refusals?.includes(code) ?? false
        if (answer.status >= 300) note(isRefusal ? refused : faults, `${work.name}: ${answer.status} ${code}`)
      }
    } catch (error) {
      note(faults, `${work.name}: ${String(error)}`)
    }
    await sleep(Math.random() * REST_MS)
  }
}

const { authorization } = (await product.createKey()).headers
const world = await createWorld(authorization)
const loadBefore = loadavg().map((load) => load.toFixed(1))
const tellMemory = pid === null ? null : watchMemory(pid)
const endsAtMs = performance.now() + MINUTES * 60_000
const clients = Array.from({ length: CLIENTS }, () => new Client(url, authorization))
await Promise.all(clients.map((client) => live(client, world, endsAtMs)))
for (const client of clients) client.close()
const all = [...latencies.values()].flat().toSorted((a, b) => a - b)
console.log(
  `${CLIENTS} clients, ${MINUTES} minutes, a rest of up to ${REST_MS} ms, load average before ${loadBefore.join(' ')}`,
)
console.log(`${all.length} requests, ${Math.round(all.length / (MINUTES * 60))} a second`)
console.log('| work | requests | p50 ms | p99 ms | longest |\n| --- | --: | --: | --: | --: |')
for (const [name, values] of [...latencies, ['all', all] as const]) {
  const sorted = [...values].sort((a, b) => a - b)
  const cells = [quantile(sorted, 0.5), quantile(sorted, 0.99), sorted.at(-1) ?? 0].map((ms) => ms.toFixed(1))
  console.log(`| ${[name, sorted.length, ...cells].join(' | ')} |`)
}
await tellMemory?.()
console.log(`refused by design: ${JSON.stringify(Object.fromEntries(refused))}`)
console.log(`faults: ${JSON.stringify(Object.fromEntries(faults))}`)
if (faults.size > 0) process.exitCode = 1
