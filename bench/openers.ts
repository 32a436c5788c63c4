import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { TestProject } from 'vitest/node'
import { createPostgresSchema } from '../apps/server/src/testing/databases.ts'
import { openAtOnce, openUnderKills } from '../apps/server/src/testing/opening-load.ts'
import startPostgres from '../apps/server/src/testing/postgres.setup.ts'
import { refuse } from './lib/undo.ts'

/**
 * Opens shares that require confirmation and have one view. `node bench/openers.ts --rounds 200 --openers 500` creates
 * 200 shares, each of which 500 clients open at once. The share is a text, a file or a bundle in turn. Runs on SQLite,
 * and on PostgreSQL with two server processes. `--kills 100` instead kills a server that many times between view and
 * response, on each database. Prints a table. Exits with 1 if any share was opened by more or fewer than one device.
 */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    openers: { type: 'string', default: '500' },
    kills: { type: 'string' },
  },
})

function numberOf(name: 'rounds' | 'openers' | 'kills', text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text)
  return refuse(`--${name} is ${JSON.stringify(text)}, but it must be a whole number, 1 or more.`)
}

const rounds = numberOf('rounds', values.rounds)
const openers = numberOf('openers', values.openers)
const kills = values.kills === undefined ? null : numberOf('kills', values.kills)

const SHARES_PER_KILL = 16
const DEVICES_PER_SHARE = 3

async function inFolders<T>(count: number, work: (folders: readonly string[]) => Promise<T>): Promise<T> {
  const folders = await Promise.all(
    Array.from({ length: count }, () => mkdtemp(join(tmpdir(), 'dropleaf-openers-'))),
  )
  try {
    return await work(folders)
  } finally {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  }
}

/** Runs the rounds. On PostgreSQL, two server processes share the database and the folder. */
async function runRounds(databaseUrl: string | null) {
  const processes = databaseUrl === null ? 1 : 2
  const figures = await inFolders(1, ([folder = '']) =>
    openAtOnce({
      rounds,
      openers,
      servers: Array.from({ length: processes }, () => ({
        DATA_DIR: folder,
        ...(databaseUrl === null
          ? {}
          : { DATABASE_URL: databaseUrl, ENCRYPTION_SECRET: 'of the openers, 32 bytes' }),
      })),
      say: console.log,
    }),
  )
  const { contents, statuses, faults } = figures
  return {
    faults,
    row: [processes, rounds, openers, JSON.stringify(contents), JSON.stringify(statuses), faults.length],
  }
}

async function runKills(databaseUrl: string | null, count: number) {
  const { faults, ...figures } = await openUnderKills({
    kills: count,
    databaseUrl,
    shares: SHARES_PER_KILL,
    devices: DEVICES_PER_SHARE,
    say: console.log,
  })
  const { shares, answered, recovered, unopened } = figures
  return { faults, row: [count, shares, answered, recovered, unopened, faults.length] }
}

const HEAD =
  kills === null
    ? ['database', 'processes', 'rounds', 'openers', 'contents per round', 'statuses', 'faults']
    : ['database', 'kills', 'shares', 'answered', 'recovered by repeating', 'unopened, then one', 'faults']

const run = (databaseUrl: string | null) =>
  kills === null ? runRounds(databaseUrl) : runKills(databaseUrl, kills)

let url = ''
const project = { provide: (_name: string, given: string) => void (url = given) }
const stopPostgres = await startPostgres(project as unknown as TestProject)
try {
  const schema = await createPostgresSchema(url)
  const results = [
    { database: 'SQLite', ...(await run(null)) },
    { database: 'PostgreSQL', ...(await run(schema.url)) },
  ]
  const line = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`
  console.log(line(HEAD))
  console.log(line(HEAD.map(() => '---')))
  for (const { database, row } of results) console.log(line([database, ...row]))
  const faults = results.flatMap((result) => result.faults)
  for (const fault of faults) console.log(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
} finally {
  await stopPostgres?.()
}
