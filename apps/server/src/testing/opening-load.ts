import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { INTENT_FROM_MS, OPENING_KINDS, type OpeningKind } from '@dropleaf/contract'
import { endServer, type ServerProcess, startServer } from './server-process.ts'

/**
 * Opens shares on real servers: by many clients at once, and while a server is killed. Intents become valid in real
 * time.
 */

export const newDevice = (): string => randomBytes(32).toString('base64url')

/** Content of each share that requires confirmation, whatever its kind. */
export const SECRET = 'words that nobody has opened yet'

export interface OpeningPlace {
  readonly kind: OpeningKind
  readonly slug: string
}

const ADMIN_PASSWORD = 'correct horse battery'
const MARGIN_MS = 50

interface Answer {
  readonly status: number
  readonly text: string
}

/** @returns `null` if the connection broke */
async function post(url: string, body: object, token?: string): Promise<Answer | null> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    })
    return { status: answer.status, text: await answer.text() }
  } catch {
    return null
  }
}

async function mustPost(url: string, body: object, token?: string): Promise<string> {
  const answer = await post(url, body, token)
  if (answer === null || answer.status >= 300)
    throw new Error(`${url} failed: ${JSON.stringify(answer ?? 'no answer')}`)
  return answer.text
}

const opensWith = (answer: Answer | null): boolean =>
  answer?.status === 200 && (answer.text.includes(SECRET) || answer.text.includes('"downloadUrl"'))

async function login(api: string): Promise<string> {
  const text = await mustPost(`${api}/admin/login`, { username: 'admin', password: ADMIN_PASSWORD })
  return (JSON.parse(text) as { data: { token: string } }).data.token
}

/** Publishes a bundle whose page is the secret. */
async function createBundle(api: string, token: string, slug: string): Promise<void> {
  const draft = await mustPost(`${api}/bundles`, { slug, max_views: 1, opening: 'ask' }, token)
  const { data } = JSON.parse(draft) as { data: { id: string } }
  const manifest = { page: { text: SECRET }, items: [] }
  await mustPost(`${api}/bundles/${data.id}/revisions`, { manifest, expected_revision: 0 }, token)
}

async function createShare(api: string, token: string, { kind, slug }: OpeningPlace): Promise<void> {
  if (kind === 'bundle') return createBundle(api, token, slug)
  if (kind === 'paste') {
    await mustPost(`${api}/paste`, { content: SECRET, slug, maxViews: 1, opening: 'ask' }, token)
    return
  }
  const query = new URLSearchParams({ slug, max_views: '1', opening: 'ask' })
  const answer = await fetch(`${api}/upload-direct/a.txt?${query.toString()}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/plain' },
    body: SECRET,
  })
  if (!answer.ok) throw new Error(`The upload failed: ${await answer.text()}`)
}

const urlOf = (api: string, { kind, slug }: OpeningPlace, act: string) =>
  kind === 'bundle' && act === 'open'
    ? `${api}/bundles/${slug}/open`
    : `${api}/opening/${kind}/${slug}/${act}`

async function createIntent(api: string, place: OpeningPlace): Promise<string> {
  const text = await mustPost(urlOf(api, place, 'intent'), {})
  return (JSON.parse(text) as { data: { intent: string } }).data.intent
}

const untilValid = () => sleep(INTENT_FROM_MS + MARGIN_MS)

interface Opener {
  readonly device: string
  readonly intent: string
}

const placeOf = (at: number, name: string): OpeningPlace => ({
  kind: OPENING_KINDS[at % OPENING_KINDS.length] ?? 'paste',
  slug: `${name}-${at}`,
})

export interface RoundsOptions {
  readonly rounds: number
  readonly openers: number
  /** Environment variables of the servers, one set for each process. */
  readonly servers: readonly Record<string, string>[]
  readonly say?: (line: string) => void
}

export interface RoundsFigures {
  readonly rounds: number
  readonly openers: number
  /** Number of rounds, keyed by the number of openers that got the contents. */
  readonly contents: Readonly<Record<number, number>>
  /** Number of responses in all rounds, keyed by status. */
  readonly statuses: Readonly<Record<number, number>>
  readonly faults: readonly string[]
}

const countIn = (counts: Record<number, number>, key: number) => void (counts[key] = (counts[key] ?? 0) + 1)

/** In each round, many clients open a share with one view at the same time, distributed over all servers. */
export async function openAtOnce({ rounds, openers, servers, say }: RoundsOptions): Promise<RoundsFigures> {
  const [firstEnv, ...others] = servers
  const started: ServerProcess[] = []
  const contents: Record<number, number> = {}
  const statuses: Record<number, number> = {}
  const faults: string[] = []
  try {
    started.push(await startServer({ ADMIN_PASSWORD, ...firstEnv }))
    for (const env of others) started.push(await startServer({ ADMIN_PASSWORD, ...env }))
    const apis = started.map(({ api }) => api)
    const apiOf = (at: number) => apis[at % apis.length] ?? ''
    const token = await login(apiOf(0))
    for (let round = 0; round < rounds; round += 1) {
      const place = placeOf(round, 'round')
      await createShare(apiOf(0), token, place)
      const ready = await Promise.all(
        Array.from({ length: openers }, async (_, at): Promise<Opener> => {
          return { device: newDevice(), intent: await createIntent(apiOf(at), place) }
        }),
      )
      await untilValid()
      const answers = await Promise.all(ready.map((body, at) => post(urlOf(apiOf(at), place, 'open'), body)))
      const opened = answers.filter(opensWith).length
      countIn(contents, opened)
      for (const answer of answers) countIn(statuses, answer?.status ?? 0)
      if (opened !== 1) faults.push(`round ${round} (${place.kind}): ${opened} contents`)
      if ((round + 1) % 20 === 0) say?.(`${round + 1} rounds, contents ${JSON.stringify(contents)}`)
    }
  } finally {
    for (const server of started) await endServer(server, 'SIGTERM')
  }
  return { rounds, openers, contents, statuses, faults }
}

export interface KillsOptions {
  readonly kills: number
  /** An empty database of PostgreSQL; `null` means SQLite. */
  readonly databaseUrl: string | null
  /** Number of shares that are being opened at each kill. */
  readonly shares: number
  /** Number of devices that open each share. */
  readonly devices: number
  readonly say?: (line: string) => void
}

export interface KillsFigures {
  readonly kills: number
  readonly shares: number
  /** Number of shares of which a device got the contents before the kill. */
  readonly answered: number
  /**
   * Number of shares whose view was counted, but whose response was lost. A device got the contents by repeating its
   * request.
   */
  readonly recovered: number
  /** Number of shares that no device had opened when the server was killed. */
  readonly unopened: number
  readonly faults: readonly string[]
}

/** Maximum delay of a kill after the openings were sent, or after the first response. */
const KILL_WITHIN_MS = 60
const KILL_AFTER_ANSWER_MS = 10

interface Attempt {
  readonly place: OpeningPlace
  readonly openers: readonly Opener[]
  readonly answers: ReadonlyArray<Answer | null>
}

/**
 * Kills a server while shares with one view are opened. After the restart, checks which device gets the contents of
 * each share.
 */
export async function openUnderKills(options: KillsOptions): Promise<KillsFigures> {
  const { kills, databaseUrl, shares, devices, say } = options
  const dataDir = await mkdtemp(join(tmpdir(), 'dropleaf-openers-'))
  const env = {
    DATA_DIR: dataDir,
    ADMIN_PASSWORD,
    ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
  }
  const figures = { answered: 0, recovered: 0, unopened: 0 }
  const faults: string[] = []
  let server: ServerProcess | null = await startServer(env)
  try {
    const token = await login(server.api)
    for (let kill = 0; kill < kills; kill += 1) {
      const { api } = server
      const prepared = await Promise.all(
        Array.from({ length: shares }, async (_, at) => {
          const place = placeOf(at, `kill-${kill}`)
          await createShare(api, token, place)
          const openers = await Promise.all(
            Array.from({ length: devices }, async (): Promise<Opener> => {
              return { device: newDevice(), intent: await createIntent(api, place) }
            }),
          )
          return { place, openers }
        }),
      )
      await untilValid()
      const { promise: answered, resolve: onAnswer } = Promise.withResolvers<void>()
      const opening = prepared.map(async ({ place, openers }): Promise<Attempt> => {
        const answers = await Promise.all(
          openers.map((body) => post(urlOf(api, place, 'open'), body).finally(onAnswer)),
        )
        return { place, openers, answers }
      })
      // Waits for the first response in most rounds, so that other openings are still in progress. In every fourth
      // round, kills at any moment.
      if (kill % 4 !== 0) await answered
      await sleep(randomInt(kill % 4 === 0 ? KILL_WITHIN_MS : KILL_AFTER_ANSWER_MS))
      await endServer(server, 'SIGKILL')
      const attempts = await Promise.all(opening)
      server = await startServer(env)
      const { api: next } = server
      const outcomes = await Promise.all(attempts.map((attempt) => settle(next, attempt)))
      for (const [at, outcome] of outcomes.entries()) {
        if (outcome in figures) figures[outcome as keyof typeof figures] += 1
        else faults.push(`${attempts[at]?.place.slug}: ${outcome}`)
      }
      if ((kill + 1) % 10 === 0) say?.(`${kill + 1} kills: ${JSON.stringify({ ...figures, faults })}`)
    }
  } finally {
    if (server) await endServer(server, 'SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  }
  return { kills, shares: kills * shares, ...figures, faults }
}

/** Determines the outcome of a share: a key of {@link KillsFigures}, or the description of a fault. */
async function settle(api: string, { place, openers, answers }: Attempt): Promise<string> {
  const before = answers.map(opensWith)
  // Every device repeats its request, as the page does. A device that the server has recorded needs no intent.
  const after = (
    await Promise.all(openers.map(({ device }) => post(urlOf(api, place, 'open'), { device })))
  ).map(opensWith)
  const got = openers.filter((_, at) => before[at] || after[at]).length
  if (got > 1) return `${got} devices got the contents`
  if (before.some((had, at) => had && !after[at])) return 'the device that had the contents may not come back'
  if (before.includes(true)) return 'answered'
  if (after.includes(true)) return 'recovered'
  // No device has the contents, so the view must be left, for exactly one device.
  const intents = await Promise.all(openers.map(() => createIntent(api, place).catch(() => null)))
  if (intents.includes(null)) return 'used up, and no device may come back'
  await untilValid()
  const opened = await Promise.all(
    openers.map(({ device }, at) => post(urlOf(api, place, 'open'), { device, intent: intents[at] })),
  )
  const count = opened.filter(opensWith).length
  return count === 1 ? 'unopened' : `${count} devices opened it after the kill`
}
