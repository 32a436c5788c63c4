import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startBare } from './lib/limits.ts'
import { createTable, inParallel, send, type Target, watching } from './lib/measure.ts'
import { openProduct } from './lib/product.ts'
import { databaseUrl, wholeNumber } from './lib/settings.ts'
import { ownFolder, run } from './lib/undo.ts'

/**
 * Benchmarks creating texts of 1 kB and 100 kB, reading them as JSON and reading them raw. Uses `wrk` (Debian's
 * package) over 32 connections for `SECONDS` (4) each. Runs `ROUNDS` (3), alternating with a bare Node.js server that
 * stores texts in a map. Then compares the counted views with the responses, and counts the views of other texts after
 * a known number of complete reads. `BASE_URL` selects a running server, `DATABASE_URL` a PostgreSQL database.
 */

const CONNECTIONS = 32
const SECONDS = wholeNumber('SECONDS', 4)
const ROUNDS = wholeNumber('ROUNDS', 3)
const SIZES = [1000, 100_000]
const READ = 200
/** Number of reads of each text and route in {@link countViews}. */
const COUNTED_READS = 20

interface Load {
  readonly path: string
  readonly lua: string
  readonly headers?: Readonly<Record<string, string>>
}

interface Loaded {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

const REPORT = `done = function(summary, latency)
  local failed = summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout
  io.stderr:write(string.format("%d %d %.1f %.3f %.3f", summary.requests, failed, summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end`

const created = (content: string, headers: Record<string, string>): Load => {
  const lines = Object.entries({ 'content-type': 'application/json', ...headers }).map(
    ([name, value]) => `wrk.headers["${name}"] = "${value}"`,
  )
  // The text has only letters and spaces, so its JSON string is also a Lua string.
  return {
    path: 'api/paste',
    lua: `wrk.method = "POST"\n${lines.join('\n')}\nwrk.body = '{"content":"${content}"}'`,
  }
}

/** Builds a load that reads the texts one after another. The server can have a base path. */
const read = (url: string, kind: 'paste' | 'raw', slugs: readonly string[]): Load => {
  const { pathname } = new URL(`api/${kind}/`, url)
  const paths = slugs.map((slug) => `"${pathname}${slug}"`)
  return {
    path: `api/${kind}/${slugs[0] ?? ''}`,
    lua: `local paths = {${paths.join(',')}}
local at = 0
request = function()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end`,
  }
}

/** @throws {Error} if a request fails */
async function load(folder: string, { name, url }: Target, { path, lua }: Load): Promise<Loaded> {
  const script = join(folder, 'load.lua')
  await writeFile(script, `${lua}\n${REPORT}`)
  const args = [`-c${CONNECTIONS}`, '-t1', `-d${SECONDS}s`, '-s', script, new URL(path, url).href]
  const { stderr } = await run('wrk', args)
  const [requests = 0, failed = 0, perSecond = 0, p50 = 0, p99 = 0] = stderr.split(' ').map(Number)
  if (failed > 0) throw new Error(`${name}: ${failed} of ${requests} responses of ${path} failed.`)
  return { requests, perSecond, p50, p99 }
}

async function createSome(target: Target, content: string): Promise<string[]> {
  const slugs: string[] = []
  const body = Buffer.from(JSON.stringify({ content }))
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  await inParallel(READ, 8, async () => {
    const answer = await send(target, 'POST', 'api/paste', { body, headers })
    slugs.push((JSON.parse(answer.toString()) as { slug: string }).slug)
  })
  return slugs
}

databaseUrl()
await using product = await openProduct()
const { headers } = await product.createKey()
const bare = await startBare('bare Node.js', './bare-texts.ts')
const own: Target = { name: 'Dropleaf', url: product.url, headers }
const { path: folder } = ownFolder()

/** Returns the total views of texts, as shown to the administrator. */
async function viewsOf(slugs: readonly string[]): Promise<number> {
  let sum = 0
  await inParallel(slugs.length, 8, async (index) => {
    const { views } = await product.call<{ views: number }>('GET', `api/admin/pastes/${slugs[index]}`)
    sum += views
  })
  return sum
}

function tell(line: string, isRight: boolean): void {
  console.log(`${line}: ${isRight ? 'right' : 'WRONG'}.`)
  if (!isRight) process.exitCode = 1
}

/**
 * Compares counted views with responses. The server may have counted some of the requests that were still running
 * when `wrk` stopped.
 */
function compareViews(views: number, answered: number): void {
  const most = 2 * ROUNDS * CONNECTIONS
  const line = `\nViews: ${views} counted, ${answered} answers read to their end, ${views - answered} more (0 to ${most} were under way when the load stopped)`
  tell(line, views >= answered && views <= answered + most)
}

/**
 * Reads texts that no other client reads, each to its end. The number of views must equal the number of responses.
 */
async function countViews(content: string): Promise<void> {
  const slugs = await createSome(own, content)
  const asked = slugs.flatMap((slug) => [`api/paste/${slug}`, `api/raw/${slug}`])
  const total = asked.length * COUNTED_READS
  await inParallel(total, CONNECTIONS, (index) => send(own, 'GET', asked[index % asked.length] ?? ''))
  const views = await viewsOf(slugs)
  tell(`Views: ${views} counted of ${total} reads, of which none was cut off`, views === total)
}

interface Side {
  readonly target: Target
  readonly pid: number | null
  readonly slugs: readonly string[]
}

async function measure({ target, pid, slugs }: Side, content: string) {
  const look = (kind: Load) => watching(pid, () => load(folder, target, kind))
  const create = await look(created(content, target.headers))
  const json = await look(read(target.url, 'paste', slugs))
  const raw = await look(read(target.url, 'raw', slugs))
  const cpuPer1000 = ({ cpu, result }: typeof create) => cpu && (cpu / result.requests) * 1000
  const figures = {
    create: create.result.perSecond,
    json: json.result.perSecond,
    raw: raw.result.perSecond,
    createP50: create.result.p50,
    createP99: create.result.p99,
    jsonP50: json.result.p50,
    jsonP99: json.result.p99,
    createCpu: cpuPer1000(create),
    jsonCpu: cpuPer1000(json),
    rawCpu: cpuPer1000(raw),
    peakMb: create.peakMb && Math.max(create.peakMb, json.peakMb ?? 0, raw.peakMb ?? 0),
  }
  return { figures, answers: json.result.requests + raw.result.requests }
}

try {
  for (const size of SIZES) {
    const content = 'Dropleaf '.repeat(Math.ceil(size / 9)).slice(0, size)
    const table = createTable({
      create: 'create, a second',
      json: 'JSON, a second',
      raw: 'raw, a second',
      createP50: 'create p50, ms',
      createP99: 'p99',
      jsonP50: 'JSON p50, ms',
      jsonP99: 'p99',
      createCpu: 'CPU s per 1,000 created',
      jsonCpu: 'per 1,000 JSON',
      rawCpu: 'per 1,000 raw',
      peakMb: 'peak, MB',
    })
    const sides: Side[] = [
      { target: own, pid: product.pid, slugs: await createSome(own, content) },
      { target: bare, pid: bare.pid, slugs: await createSome(bare, content) },
    ]
    let answered = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const side of sides) {
        const { figures, answers } = await measure(side, content)
        table.add(side.target.name, figures)
        answered += side.target === own ? answers : 0
      }
    }
    table.print(`texts of ${size} bytes, ${CONNECTIONS} connections, ${ROUNDS} rounds`, [
      [own.name, bare.name],
    ])
    const views = await viewsOf(sides[0]?.slugs ?? [])
    compareViews(views, answered)
    await countViews(content)
  }
} finally {
  await bare.stop()
}
