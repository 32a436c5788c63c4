import {
  type Answer,
  createMemoryStore,
  type MemoryStore,
  type NewEntry,
  type Outcome,
  type QueueEntry,
  replay,
  revive,
} from '@dropleaf/sync-queue'
import { array, assert, asyncProperty, constantFrom, integer, nat, record } from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { describeOneDatabase, type TestApp } from '../../../testing/app.ts'

/**
 * Fate of one request. `before`: the connection breaks before the request arrives. `after`: the request is executed,
 * but the response is lost. `away`: the server is unavailable.
 */
type Line = 'works' | 'before' | 'after' | 'away'

interface Step {
  readonly change: 'create' | 'create_named' | 'update' | 'delete' | 'elsewhere'
  /** Number of the text. */
  readonly on: number
  readonly line: Line
}

const line = constantFrom<Line>('works', 'before', 'after', 'away')
const schedule = record({
  steps: array(
    record<Step>({
      change: constantFrom('create', 'create_named', 'update', 'update', 'update', 'delete', 'elsewhere'),
      on: nat({ max: 1 }),
      line,
    }),
    { minLength: 1, maxLength: 10 },
  ),
  /** Fates of the requests during the replay, in order. Requests after the last entry succeed. */
  later: array(line, { maxLength: 12 }),
  /**
   * When the browser crashes: each entry is the number of requests that one replay sends before its crash. The result
   * of the last request is not recorded.
   */
  crashes: array(integer({ min: 1, max: 6 }), { maxLength: 3 }),
})

class BrowserEnds extends Error {}

/** A change made by the user. */
interface Asked {
  readonly mark: string
  /** The server refused the change immediately, so it is not queued. */
  isRefused: boolean
}

/** Simulates a browser that makes changes over an unreliable connection to a real server. */
class Browser {
  readonly store: MemoryStore = createMemoryStore()
  readonly asked: Asked[] = []
  readonly deleted = new Set<string>()
  private readonly app: TestApp
  private readonly prefix: string
  private readonly seen = new Map<string, string>()
  private count = 0
  private nowMs = 0

  constructor(app: TestApp, prefix: string) {
    this.app = app
    this.prefix = prefix
  }

  slug = (kind: string, on: number) => `${this.prefix}-${kind}${on}`

  /** Creates the texts that exist before the connection breaks. */
  async begin(): Promise<void> {
    for (const on of [0, 1]) {
      for (const kind of ['text', 'gone']) {
        const slug = this.slug(kind, on)
        await this.app.admin.call('POST', '/api/paste', { body: { content: `first ${slug}`, slug } })
        const { body } = await this.app.admin.call('GET', `/api/admin/pastes/${slug}`)
        this.seen.set(slug, body.data.updated_at)
      }
    }
  }

  private async send(entry: NewEntry, how: Line): Promise<Answer> {
    if (how === 'before') return { kind: 'none', message: 'cut' }
    if (how === 'away')
      return {
        kind: 'answer',
        status: 503,
        code: 'request.unavailable',
        message: '',
        retryAfterSeconds: null,
        body: null,
      }
    const { status, body } = await this.app.admin.call(entry.method, entry.endpoint, {
      ...(entry.data === undefined ? {} : { body: entry.data as object }),
      headers: { 'idempotency-key': entry.idempotencyKey },
    })
    if (how === 'after') return { kind: 'none', message: 'cut' }
    const code = status < 300 ? '' : String(body.error.code)
    return { kind: 'answer', status, code, message: '', retryAfterSeconds: null, body }
  }

  private entryFor({ change, on }: Step, mark: string): NewEntry {
    const common = {
      owner: 'admin',
      idempotencyKey: `${this.prefix}-key-0000000-${this.count}`,
      status: 'pending',
      conflict: null,
      failure: null,
      attempts: 0,
      nextAttemptAtMs: 0,
      timestamp: this.nowMs,
    } as const
    if (change === 'create' || change === 'create_named') {
      const slug = change === 'create' ? null : this.slug('new', on)
      const data = { content: mark, slug }
      const subjects = slug === null ? [] : [`paste:${slug}`]
      return { ...common, type: 'create_paste', method: 'POST', endpoint: '/api/paste', data, subjects }
    }
    const slug = this.slug(change === 'update' ? 'text' : 'gone', on)
    const address = { endpoint: `/api/admin/pastes/${slug}`, subjects: [`paste:${slug}`] }
    if (change === 'delete')
      return { ...common, ...address, type: 'delete_paste', method: 'DELETE', data: undefined }
    const data = { content: mark, expectedUpdatedAt: this.seen.get(slug) }
    return { ...common, ...address, type: 'update_paste', method: 'PUT', data }
  }

  async change(step: Step): Promise<void> {
    this.count += 1
    const mark = `${this.prefix} ${step.change} ${this.count}`
    if (step.change === 'elsewhere') {
      const url = `/api/admin/pastes/${this.slug('text', step.on)}`
      await this.app.admin.call('PUT', url, { body: { content: mark } })
      this.asked.push({ mark, isRefused: false })
      return
    }
    const entry = this.entryFor(step, mark)
    const asked = { mark, isRefused: false }
    if (step.change === 'delete') this.deleted.add(this.slug('gone', step.on))
    else this.asked.push(asked)
    // A change must wait for queued changes of the same text.
    const waiting = await this.store.all()
    const isBehind = waiting.some(({ subjects }) => subjects.some((one) => entry.subjects.includes(one)))
    const answer = isBehind ? null : await this.send(entry, step.line)
    if (answer?.kind === 'answer' && answer.status < 500) {
      asked.isRefused = answer.status >= 300
      const made = (answer.body as { data?: { slug: string; updated_at: string } }).data
      if (step.change === 'update' && made) this.seen.set(made.slug, made.updated_at)
    } else {
      // An offline change is based on the result of the queued change before it.
      const before = waiting.findLast(
        ({ type, subjects }) =>
          type === 'update_paste' && subjects.some((one) => entry.subjects.includes(one)),
      )
      await this.store.add({ ...entry, continues: before?.id ?? null })
    }
  }

  /** Replays the queue until only conflicts are left. After a crash, the replay resumes from the stored queue. */
  async replayAll(later: Line[], crashes: number[]): Promise<void> {
    for (let runs = 0; runs < 60; runs += 1) {
      let attempts = 0
      const endsAfter = crashes.shift()
      const send = async (entry: QueueEntry) => {
        const answer = await this.send(entry, later.shift() ?? 'works')
        attempts += 1
        if (attempts === endsAfter) throw new BrowserEnds()
        return answer
      }
      const settle = async (_entry: QueueEntry, outcome: Outcome) => outcome
      const host = { store: this.store, nowMs: () => this.nowMs, send, settle }
      await replay(host).catch((error: unknown) => {
        if (!(error instanceof BrowserEnds)) throw error
      })
      this.nowMs += 60_000
      const left = await this.store.all()
      if (left.every(isAtRest)) return
      await revive(this.store, left)
    }
    throw new Error(`The queue does not come to rest: ${JSON.stringify(await this.store.all())}`)
  }
}

const isAtRest = (entry: QueueEntry, _index: number, all: readonly QueueEntry[]): boolean =>
  entry.status === 'conflict' ||
  all.some(
    (other) =>
      other.id < entry.id &&
      other.status === 'conflict' &&
      other.subjects.some((subject) => entry.subjects.includes(subject)),
  )

describeOneDatabase('sqlite', 'changes over a bad line', ({ startApp }) => {
  let t: TestApp
  beforeAll(async () => {
    t = await startApp()
  })

  async function timesSaved(mark: string): Promise<number> {
    const rows = await Promise.all([
      t.ctx.db.selectFrom('pastes').select('id').where('content', '=', mark).execute(),
      t.ctx.db.selectFrom('paste_revisions').select('id').where('content', '=', mark).execute(),
    ])
    return rows.flat().length
  }

  test('200 schedules: each change is applied once, or waits for a decision of the user', async () => {
    let runs = 0
    const seen = { queued: 0, conflicts: 0 }
    await assert(
      asyncProperty(schedule, async ({ steps, later, crashes }) => {
        runs += 1
        const browser = new Browser(t, `run${runs}`)
        await browser.begin()
        for (const step of steps) await browser.change(step)
        seen.queued += (await browser.store.all()).length
        await browser.replayAll([...later], [...crashes])
        const left = await browser.store.all()
        seen.conflicts += left.length
        const waiting = new Set(left.map(({ data }) => (data as { content: string }).content))
        for (const { mark, isRefused } of browser.asked) {
          const told = [mark, await timesSaved(mark), isRefused, waiting.has(mark)]
          const once = [mark, 1, false, false]
          const chosen = [mark, 0, false, true]
          const refused = [mark, 0, true, false]
          expect([once, chosen, refused]).toContainEqual(told)
        }
        for (const slug of browser.deleted)
          expect((await t.admin.call('GET', `/api/admin/pastes/${slug}`)).status).toBe(404)
      }),
      { numRuns: 200 },
    )
    expect(runs).toBeGreaterThanOrEqual(200)
    expect(seen.queued).toBeGreaterThan(100)
    expect(seen.conflicts).toBeGreaterThan(0)
  })
})
