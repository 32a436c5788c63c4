import { randomUUID } from 'node:crypto'
import { deleteMatchingFiles } from '../apps/server/src/features/capabilities/files/matching-files.usecases.ts'
import { deleteMatchingPastes } from '../apps/server/src/features/capabilities/pastes/matching-pastes.usecases.ts'
import type { Actor } from '../apps/server/src/features/foundation/identity/actor.models.ts'
import { pasteSearchText, searchText } from '../apps/server/src/lib/search-text.ts'
import { startOwnServer } from './lib/own-server.ts'
import { quantile } from './lib/measure.ts'
import { wholeNumber } from './lib/settings.ts'

/**
 * Benchmarks the tables of the admin panel over `ROWS` (20,000) texts and as many files: pages, searches and filters
 * over HTTP, then the deletion of every fourth share. Uses SQLite, or the empty PostgreSQL database of `DATABASE_URL`.
 */

const ROWS = wholeNumber('ROWS', 20_000, { least: 100 })
const TURNS = wholeNumber('TURNS', 10)
const BATCH = 500
const DAY_MS = 24 * 3_600_000
const WORDS = ['meeting', 'invoice', 'photo', '会议', '照片', 'backup', 'recipe', 'draft'] as const

await using server = await startOwnServer()
const { ctx } = server
const config = await ctx.db.selectFrom('storage_configs').select('id').executeTakeFirstOrThrow()
const admin = await ctx.db.selectFrom('admins').select(['id', 'username']).executeTakeFirstOrThrow()
const nowMs = Date.now()

const common = (number: number) => ({
  id: randomUUID(),
  slug: `share-${number}`,
  remark: number % 4 === 0 ? `fourth ${number}` : `${WORDS[number % WORDS.length]} ${number}`,
  password_hash: number % 5 === 0 ? 'x' : null,
  password_sealed: null,
  expires_at_ms: number % 3 === 0 ? nowMs + (number - ROWS / 2) * 60_000 : null,
  max_views: number % 7 === 0 ? 3 : null,
  views: number % 4,
  purged_at_ms: null,
  created_by: number % 2 === 0 ? admin.id : `apikey:${number % 10}`,
  created_at_ms: nowMs - number * 1000 - DAY_MS,
  updated_at_ms: nowMs - number * 1000,
})
const text = (number: number) => `${WORDS[(number * 3) % WORDS.length]} ${number} `.repeat(60)

for (let start = 0; start < ROWS; start += BATCH) {
  const numbers = Array.from({ length: Math.min(BATCH, ROWS - start) }, (_, index) => start + index)
  await ctx.db
    .insertInto('pastes')
    .values(
      numbers.map((number) => {
        const row = common(number)
        const content = text(number)
        return {
          ...row,
          content,
          content_type: 'text/plain' as const,
          search_text: pasteSearchText(row.remark, content),
        }
      }),
    )
    .execute()
  await ctx.db
    .insertInto('files')
    .values(
      numbers.map((number) => {
        const row = common(number)
        const filename = `${WORDS[(number * 5) % WORDS.length]}-${number}.jpg`
        return {
          ...row,
          filename,
          storage_config_id: config.id,
          storage_key: `${number}-${filename}`,
          mimetype: 'image/jpeg',
          size_bytes: number * 1000,
          etag: null,
          sha256: null,
          use_proxy: 1,
          committed_at_ms: row.created_at_ms,
          upload_kind: 'streamed' as const,
          upload_expires_at_ms: null,
          takes_slug: null,
          receiving_until_ms: null,
          last_view_at_ms: null,
          search_text: searchText(row.remark, filename),
        }
      }),
    )
    .execute()
}

const queries: Readonly<Record<string, string>> = {
  'first page': 'limit=20',
  'last page': `limit=20&page=${Math.ceil(ROWS / 20)}&offset=${ROWS - 20}`,
  'by views': 'limit=20&sort=views&order=desc',
  'by expiry': 'limit=20&sort=expires&order=asc',
  'search, Latin': 'limit=20&search=invoice',
  'search, Chinese': `limit=20&search=${encodeURIComponent('会议')}`,
  'search, nothing found': 'limit=20&search=nowhere-to-be-found',
  'expired or used up': 'limit=20&state=over',
  'by a key, with password': 'limit=20&created_by=apikey:5&protected=true',
}

console.log(
  `${ctx.database.engine}: ${ROWS} texts and ${ROWS} files\n| what | p50 ms | p95 ms | max ms |\n| --- | --: | --: | --: |`,
)
for (const kind of ['pastes', 'files']) {
  for (const [what, query] of Object.entries(queries)) {
    const times: number[] = []
    for (let turn = 0; turn < TURNS; turn += 1)
      times.push((await server.get(`/api/admin/${kind}?${query}`)).ms)
    times.sort((a, b) => a - b)
    const figures = [quantile(times, 0.5), quantile(times, 0.95), times.at(-1) ?? 0]
    console.log(`| ${kind}, ${what} | ${figures.map((ms) => ms.toFixed(1)).join(' | ')} |`)
  }
}

const actor: Actor = {
  kind: 'admin',
  id: admin.id,
  username: admin.username,
  via: 'basic',
  sessionHash: null,
  sessionId: null,
}
const fourth = { search: 'fourth', state: null, protected: null }
for (const begin of [deleteMatchingPastes, deleteMatchingFiles]) {
  const startedAt = performance.now()
  const { matching, task_id: id } = await begin(ctx, actor, fourth)
  await ctx.tasks.drain()
  const task = await ctx.tasks.find(id)
  console.log(
    `${task?.type}: ${matching} matched, ${task?.state}, ${task?.progress} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
  )
}
