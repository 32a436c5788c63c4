import { sql } from 'kysely'
import { loadavg } from 'node:os'
import { indexedUsage } from '../apps/server/src/features/foundation/object-index/object-index.usecases.ts'
import { noteChange } from '../apps/server/src/features/foundation/object-index/storage-changes.usecases.ts'
import { createNames } from './index-names.ts'
import { startOwnServer } from './lib/own-server.ts'
import { quantile, send, timed } from './lib/measure.ts'
import { baseUrl, openProduct } from './lib/product.ts'
import { wholeNumber, word } from './lib/settings.ts'

/**
 * Benchmarks search and sorted pages over `ROWS` synthetic rows. Uses SQLite, or the PostgreSQL database of
 * `DATABASE_URL`, which must be empty or filled by this program. With `DATA_DIR` or `DATABASE_URL`, the rows stay and
 * are reused. The first run of each kind, with cold database buffers, is reported separately. `BASE_URL` selects a
 * running server and searches its index for the same words; `FOLDER`, such as `/local/photos`, selects the folder to
 * page through.
 */

const ROWS = wholeNumber('ROWS', 1_000_000)
const FOLDERS = 1000
const BATCH = 1000
const FOLDER = word('FOLDER', undefined, { pattern: /^\//, needed: 'a path like /local/photos' })
const TURNS = wholeNumber('TURNS', 5)

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  Latin: [
    'report',
    'budget-summer',
    'IMG_2024',
    'contract-contract',
    '.tar.gz',
    'lecture',
    'port-hol',
    'notes',
    'zip',
    'xyzzy',
    'holiday',
    'summer-final',
    '_20150',
    'readme-',
    '12345',
  ],
  Chinese: [
    '会议纪',
    '设计文',
    '北京上',
    '年度报告',
    '照片备份',
    '第一章',
    '合同发',
    '家庭音乐',
    '数据分',
    '旅行家',
    '广州工',
    '预算系',
    '课程第',
    '计划方案',
    '说明测',
  ],
  'two characters': [
    'er',
    're',
    '20',
    '.j',
    'pd',
    'zz',
    'qx',
    '会议',
    '北京',
    '图片',
    '报告',
    'me',
    '1.',
    '章预',
    'in',
  ],
}

/** A server with files to search for. */
interface Searched extends AsyncDisposable {
  readonly title: string
  readonly folder: { readonly path: string; readonly title: string } | null
  /** Returns the duration of a GET request in milliseconds. @throws {Error} unless the request succeeds */
  get(path: string): Promise<number>
}

async function openFilled(): Promise<Searched> {
  const server = await startOwnServer()
  const config = await server.ctx.db.selectFrom('storage_configs').selectAll().executeTakeFirstOrThrow()
  const nameOf = createNames()
  const { objects: already } = await indexedUsage(server.ctx, config.id)
  const filledAt = performance.now()
  for (let start = already; start < ROWS; start += BATCH) {
    const written = Array.from({ length: Math.min(BATCH, ROWS - start) }, (_, at) => {
      const index = start + at
      // Puts half of the rows in one folder, for the sorted pages.
      const folder = index % 2 === 0 ? 'all' : `f${index % FOLDERS}/deeper`
      return {
        key: `${folder}/${nameOf(index)}`,
        sizeBytes: (index * 7919) % 1_000_003,
        etag: 'e',
        modifiedAtMs: 1.7e12 + index,
      }
    })
    await noteChange(server.ctx, { configId: config.id, written })
  }
  const filledMs = performance.now() - filledAt
  const nowMs = Date.now()
  await server.ctx.db
    .updateTable('object_indexes')
    .set({ state: 'done', completed_at_ms: nowMs, finished_at_ms: nowMs })
    .execute()
  await server.ctx.db
    .updateTable('object_folders')
    .set({ listed_at_ms: nowMs })
    .where('key', '=', 'all/')
    .execute()
  // Runs `vacuum`, because PostgreSQL itself does so only some minutes after a crawl.
  if (server.ctx.database.engine === 'postgres') await sql`vacuum analyze`.execute(server.ctx.db)
  const filled =
    already < ROWS ? `, filled at ${Math.round(((ROWS - already) / filledMs) * 1000)} rows a second` : ''
  return {
    title: `${server.ctx.database.engine}: ${ROWS} rows${filled}`,
    folder: { path: '/local/all', title: String(Math.ceil(ROWS / 2)) },
    get: async (path) => (await server.get(path)).ms,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function openGiven(): Promise<Searched> {
  const product = await openProduct()
  const { headers } = await product.createKey()
  const indexes = await product.call<readonly { objects: number }[]>('GET', 'api/admin/index')
  const objects = indexes.reduce((sum, index) => sum + index.objects, 0)
  const target = { name: 'Dropleaf', url: product.url, headers: { ...headers, 'accept-encoding': 'gzip' } }
  return {
    title: `${product.url}: ${objects} files in its index`,
    folder: FOLDER === undefined ? null : { path: encodeURIComponent(FOLDER), title: FOLDER },
    get: (path) => timed(() => send(target, 'GET', path.slice(1))),
    [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
  }
}

await using searched = await (baseUrl() === undefined ? openFilled() : openGiven())

const sorted = (times: readonly number[]) => times.toSorted((a, b) => a - b)

async function turnOf(paths: readonly string[], turn: number): Promise<number[]> {
  const times: number[] = []
  // Responses of the search are cached for a while, so each turn uses another offset.
  for (const path of paths) times.push(await searched.get(`${path}&offset=${turn}`))
  return times
}

const loads = loadavg().map((load) => load.toFixed(1))
console.log(`${searched.title}; load average ${loads.join(' ')}`)
console.log('| what | first turn p95 ms | p50 ms | p95 ms | max ms |\n| --- | --: | --: | --: | --: |')

async function row(what: string, paths: readonly string[]): Promise<void> {
  const first = await turnOf(paths, 0)
  const times: number[] = []
  for (let turn = 1; turn <= TURNS; turn += 1) times.push(...(await turnOf(paths, turn)))
  const figures = [
    quantile(sorted(first), 0.95),
    ...[0.5, 0.95, 1].map((share) => quantile(sorted(times), share)),
  ]
  console.log(`| ${what} | ${figures.map((ms) => ms.toFixed(1)).join(' | ')} |`)
}

for (const [what, queries] of Object.entries(QUERIES))
  await row(
    `search, ${what}`,
    queries.map((q) => `/api/fs/search?q=${encodeURIComponent(q)}`),
  )
const { folder } = searched
for (const sort of folder ? ['size', 'modified', 'name'] : [])
  for (const order of ['asc', 'desc'])
    await row(
      `first page of ${folder?.title} by ${sort} ${order}`,
      Array.from(
        { length: 5 },
        () => `/api/fs/list?path=${folder?.path}&limit=200&sort=${sort}&order=${order}`,
      ),
    )
