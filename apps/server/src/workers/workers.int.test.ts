import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test, vi } from 'vitest'
import { createPostgresSchema } from '../testing/databases.ts'
import { type ServerProcess, startServer } from '../testing/server-process.ts'

const postgresUrl = inject('postgresUrl')
const PASSWORD = 'correct horse battery'
const TOKEN = 'only for the metrics'

const workersOf = async ({ process }: ServerProcess) => {
  const text = await readFile(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}

/** Uses a new connection for each request, so that the workers alternate. */
async function ask(
  url: string,
  { method = 'GET', token, body }: { method?: string; token?: string; body?: object } = {},
) {
  const answer = await fetch(url, {
    method,
    headers: {
      connection: 'close',
      ...(token !== undefined && { authorization: token }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

test.skipIf(postgresUrl === '')(
  'several processes serve on one port, are replaced after a crash, sum their metrics, and end together',
  { timeout: 300_000 },
  async () => {
    const schema = await createPostgresSchema(postgresUrl)
    const folder = await mkdtemp(join(tmpdir(), 'dropleaf-workers-'))
    const server = await startServer({
      DATA_DIR: folder,
      DATABASE_URL: schema.url,
      DATABASE_POOL_SIZE: '6',
      ADMIN_PASSWORD: PASSWORD,
      METRICS_TOKEN: TOKEN,
      WORKERS: '2',
    })
    try {
      await vi.waitFor(async () => expect(await workersOf(server)).toHaveLength(2))
      const login = await ask(`${server.api}/admin/login`, {
        method: 'POST',
        body: { username: 'admin', password: PASSWORD },
      })
      const { token } = (JSON.parse(login.text) as { data: { token: string } }).data
      const asAdmin = { token: `Bearer ${token}` }
      const created = await ask(`${server.api}/paste`, {
        method: 'POST',
        ...asAdmin,
        body: { content: 'of all' },
      })
      const { slug } = JSON.parse(created.text) as { slug: string }

      const read = async (times: number) => {
        const answers = []
        for (let time = 0; time < times; time += 1) answers.push(await ask(`${server.api}/paste/${slug}`))
        return answers.map(({ status }) => status)
      }
      const all = (times: number) => Array.from({ length: times }, () => 200)
      // The second worker might still be starting; the requests that it serves later are counted as well.
      const counted = async () => {
        const { text } = await ask(server.api.replace(/api$/, 'metrics'), { token: `Bearer ${TOKEN}` })
        const line =
          /^dropleaf_http_request_duration_seconds_count\{method="GET",route="\/api\/paste\/:slug",status="200"\} (\d+)$/m
        return [Number(line.exec(text)?.[1]), text.match(/^dropleaf_shares\{kind="text"\} (\d+)$/m)?.[1]]
      }
      expect(await read(40)).toEqual(all(40))
      expect(await counted()).toEqual([40, '1'])

      const [first = 0, second = 0] = await workersOf(server)
      process.kill(second, 'SIGKILL')
      await vi.waitFor(async () => {
        const now = await workersOf(server)
        expect(now).toHaveLength(2)
        expect(now).not.toContain(second)
        expect(now).toContain(first)
      })
      // The metrics of the worker that exited are still included.
      await expect.poll(counted).toEqual([40, '1'])
      expect(await read(20)).toEqual(all(20))
      // Kills workers repeatedly while clients connect. Each request must get a response or a connection error
      // immediately.
      const over = new AbortController()
      const outcomes = { answered: 0, cut: 0 }
      const knock = async () => {
        while (!over.signal.aborted) {
          const answer = fetch(`${server.api}/health`, {
            headers: { connection: 'close' },
            signal: AbortSignal.timeout(60_000),
          })
          const hears = await answer.then(
            () => 'answered' as const,
            (error: Error) => {
              if (error.name === 'TimeoutError') throw error
              return 'cut' as const
            },
          )
          outcomes[hears] += 1
        }
      }
      const knocking = Promise.all(Array.from({ length: 12 }, knock))
      for (let kills = 0; kills < 3; kills += 1) {
        // Waits long enough for the newest worker to serve, because other processes cannot detect when it serves. The
        // oldest worker always serves.
        await sleep(2500)
        const victim = (await workersOf(server)).at(-1)
        if (victim !== undefined) process.kill(victim, 'SIGKILL')
        await vi.waitFor(async () => expect(await workersOf(server)).toHaveLength(2))
      }
      over.abort()
      await knocking
      expect(outcomes.answered).toBeGreaterThan(20)
      const detail = await ask(`${server.api}/admin/pastes/${slug}`, asAdmin)
      expect((JSON.parse(detail.text) as { data: { views: number } }).data.views).toBe(60)
    } finally {
      const ended = once(server.process, 'exit')
      server.process.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
      await rm(folder, { recursive: true, force: true })
      await schema.drop()
    }
  },
)
