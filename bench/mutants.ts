import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { TestProject } from 'vitest/node'
import startPostgres from '../apps/server/src/testing/postgres.setup.ts'
import { type Mutant, mutate, nameOf, type Row } from './advisories/model.ts'
import { tables } from './advisories/tables.ts'
import { startGateway } from './lib/gateway.ts'
import { isJourney, isNoticed, type Ran, runNamed } from './lib/named-tests.ts'
import { copySources, runIn } from './lib/source-copy.ts'
import { refuse, undoing } from './lib/undo.ts'

/**
 * Introduces each fault of `docs/advisories.md` into a copy of the sources, and runs the test of the fault. The test
 * must pass without the fault and fail with it. `--list` prints the rows. `--only TEXT` selects rows with that text in
 * their name, fault or test, and can be repeated. `--jobs` sets the number of copies that are used in parallel (2).
 * Exits with 1 if a test misses its fault, does not run, or fails for another reason. Browser tests need Chromium
 * (`CHROMIUM_PATH`).
 */

const { values } = parseArgs({
  options: {
    list: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    jobs: { type: 'string', default: '2' },
  },
})

const BUILD_LIMIT_MS = 600_000
const OUTPUT_SHOWN = 2000

const textOf = (row: Row) =>
  [nameOf(row), row.mistake, row.test.file, row.test.title].join('\n').toLowerCase()

const wanted = tables
  .flatMap(({ rows }) => rows)
  .filter(
    (row) => values.only.length === 0 || values.only.some((text) => textOf(row).includes(text.toLowerCase())),
  )

/** Rows that share a test and a mutant. The mutant is tried only once for all of them. */
interface Trial {
  readonly file: string
  readonly title: string
  readonly mutant: Mutant
  readonly rows: readonly Row[]
}

function trialsOf(rows: readonly Row[]): Trial[] {
  const keyOf = ({ test, mutant }: Row) => JSON.stringify([test, mutant])
  return [...Map.groupBy(rows, keyOf).values()].flatMap((same) => {
    const [first] = same
    return first ? [{ ...first.test, mutant: first.mutant, rows: same }] : []
  })
}

interface Verdict {
  readonly isGood: boolean
  readonly text: string
}

const shown = ({ output }: Ran) => output.trim().slice(-OUTPUT_SHOWN)

function verdictOf(ran: Ran, title: string): Verdict {
  const { passed = 0, failures = [] } = ran.outcomes.get(title) ?? {}
  if (failures.some(isNoticed)) return { isGood: true, text: 'noticed' }
  if (failures.length > 0)
    return { isGood: false, text: `failed otherwise: ${failures[0]?.slice(0, OUTPUT_SHOWN)}` }
  if (passed === 0) return { isGood: false, text: `did not run\n${shown(ran)}` }
  return { isGood: false, text: 'GOES UNNOTICED' }
}

/** A copy of the sources, with the web app built if browser tests need it. */
class Bench {
  readonly folder = copySources()

  #built: string | null = null
  #mutant: Mutant = []

  /**
   * Builds unless the last build had the same changes outside the server. The server needs no build, because it runs
   * from its sources. @returns the output of a failed build
   */
  private async build(): Promise<string | null> {
    const changed = JSON.stringify(this.#mutant.filter(({ file }) => !file.startsWith('apps/server/')))
    if (changed === this.#built) return null
    const command = ['npm', 'run', '-s', 'build'] as const
    const { code, output } = await runIn([...command], { folder: this.folder, limitMs: BUILD_LIMIT_MS })
    this.#built = code === 0 ? changed : null
    return code === 0 ? null : output
  }

  async run(file: string, titles: readonly string[]): Promise<Ran> {
    const fault = isJourney(file) ? await this.build() : null
    if (fault !== null) return { outcomes: new Map(), output: fault }
    return runNamed({ folder: this.folder, file, titles })
  }

  async withMutant<T>(mutant: Mutant, work: () => Promise<T>): Promise<T> {
    const before = new Map<string, string>()
    for (const edit of mutant) {
      const path = join(this.folder, edit.file)
      const text = readFileSync(path, 'utf8')
      if (!before.has(path)) before.set(path, text)
      writeFileSync(path, mutate(text, edit))
    }
    this.#mutant = mutant
    try {
      return await work()
    } finally {
      this.#mutant = []
      for (const [path, text] of before) writeFileSync(path, text)
    }
  }
}

async function tryAll(
  bench: Bench,
  trials: readonly Trial[],
): Promise<readonly (Verdict & { trial: Trial })[]> {
  const [first] = trials
  if (!first) return []
  const sound = await bench.run(first.file, [...new Set(trials.map(({ title }) => title))])
  const verdicts = []
  for (const trial of trials) {
    const { passed = 0, failures = [] } = sound.outcomes.get(trial.title) ?? {}
    let verdict: Verdict = { isGood: false, text: `does not pass before\n${failures[0] ?? shown(sound)}` }
    if (passed > 0 && failures.length === 0)
      verdict = await bench.withMutant(trial.mutant, async () => {
        const ran = await bench.run(trial.file, [trial.title])
        return verdictOf(ran, trial.title)
      })
    for (const row of trial.rows) console.log(`${verdict.text.split('\n', 1)[0]}: ${nameOf(row)}`)
    if (!verdict.isGood)
      console.log(`  ${trial.file}: ${trial.title}\n  ${verdict.text.replaceAll('\n', '\n  ')}`)
    verdicts.push({ ...verdict, trial })
  }
  return verdicts
}

/**
 * Starts the services of the test suites once, except for services that the environment already provides.
 * @returns a function that stops them
 */
async function startServices(): Promise<() => Promise<unknown>> {
  const provided: Record<string, unknown> = {}
  const project = { provide: (name: string, value: unknown) => void (provided[name] = value) }
  const stopPostgres = await startPostgres(project as unknown as TestProject)
  const stops = stopPostgres ? [undoing(stopPostgres)] : []
  const stopAll = () => Promise.all(stops.map((stop) => stop()))
  process.env.TEST_DATABASE_URL = String(provided.postgresUrl)
  if (process.env.TEST_S3_ENDPOINT) return stopAll
  const { gateway, stop: stopGateway } = await startGateway()
  stops.push(undoing(stopGateway))
  process.env.TEST_S3_ENDPOINT = gateway.endpointUrl
  process.env.TEST_S3_ACCESS_KEY = gateway.accessKeyId
  process.env.TEST_S3_SECRET_KEY = gateway.secretAccessKey
  if (gateway.virtualHostUrl) process.env.TEST_S3_VIRTUAL_HOST_ENDPOINT = gateway.virtualHostUrl
  return stopAll
}

async function main(jobs: number): Promise<void> {
  const stopServices = await startServices()
  const waiting = [...Map.groupBy(trialsOf(wanted), ({ file }) => file).values()].sort(
    (a, b) =>
      Number(isJourney(b[0]?.file ?? '')) - Number(isJourney(a[0]?.file ?? '')) || b.length - a.length,
  )
  const work = async () => {
    if (waiting.length === 0) return []
    const bench = new Bench()
    const verdicts = []
    for (let next = waiting.shift(); next; next = waiting.shift())
      verdicts.push(...(await tryAll(bench, next)))
    return verdicts
  }
  const verdicts = (await Promise.all(Array.from({ length: jobs }, work))).flat()
  const rowsOf = (isGood: boolean) =>
    verdicts
      .filter((verdict) => verdict.isGood === isGood)
      .reduce((sum, { trial }) => sum + trial.rows.length, 0)
  console.log(`${rowsOf(true)} of ${wanted.length} rows are proved by ${verdicts.length} mutants.`)
  await stopServices()
  process.exit(rowsOf(false) === 0 ? 0 : 1)
}

const jobs = Number(values.jobs)
if (!Number.isInteger(jobs) || jobs < 1)
  refuse(`--jobs is ${values.jobs}, but it must be a whole number, 1 or more.`)
if (wanted.length === 0) refuse('No row has that text.')
if (values.list)
  for (const row of wanted) console.log(`${nameOf(row)}\n  ${row.test.file}: ${row.test.title}`)
else await main(jobs)
