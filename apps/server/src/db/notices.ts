import type { Client } from 'pg'

/**
 * A message to every replica. Nothing may depend on its arrival, because the message is lost if the connection breaks.
 */
export interface Notice {
  readonly topic: string
  /** JSON of a few kilobytes at most. */
  readonly payload: unknown
}

type Listener = (payload: unknown) => void

/** Sends notices to all replicas, including this process. */
export interface Notices {
  publish(notice: Notice): Promise<void>
  /** @returns a function that unsubscribes. */
  subscribe(topic: string, listener: Listener): () => void
  close(): Promise<void>
}

function createListeners() {
  const listeners = new Map<string, Set<Listener>>()
  return {
    hear: ({ topic, payload }: Notice) => {
      for (const listener of listeners.get(topic) ?? []) listener(payload)
    },
    subscribe(topic: string, listener: Listener) {
      const all = listeners.get(topic) ?? new Set()
      listeners.set(topic, all.add(listener))
      return () => void all.delete(listener)
    },
  }
}

/** Creates notices that stay within this process. */
export function createLocalNotices(): Notices {
  const listeners = createListeners()
  return {
    async publish(notice) {
      listeners.hear(notice)
    },
    subscribe: (topic, listener) => listeners.subscribe(topic, listener),
    close: () => Promise.resolve(),
  }
}

/** PostgreSQL's NOTIFY refuses payloads of 8,000 bytes and more. */
const MAX_PAYLOAD_BYTES = 7900
const RECONNECT_MS = 1000

/** Each schema has a separate channel, because another server can use the same database. */
const CHANNEL = `select 'dropleaf_' || md5(current_schema()) as channel`

/**
 * Lock that every connected server holds in shared mode. Operations that need exclusive access to the database use this
 * lock to detect running servers.
 */
const RUNNING = `hashtextextended(current_schema() || ':running', 0)`
const SAY_THAT_IT_RUNS = `select pg_advisory_lock_shared(${RUNNING})`

/**
 * Checks in a transaction that no server uses the database. If the check succeeds, no server can start until the
 * transaction ends.
 */
export const ASK_WHETHER_NONE_RUNS = `select pg_try_advisory_xact_lock(${RUNNING}) as alone`

/**
 * Sends notices by PostgreSQL's LISTEN and NOTIFY, on a separate connection that reopens when it breaks.
 * @throws {Error} if the database is unreachable at the start
 */
export async function openPostgresNotices(url: string): Promise<Notices> {
  const { default: pg } = await import('pg')
  const listeners = createListeners()
  const own = `${process.pid}:${Math.random()}`
  let isClosed = false
  let client: Client | undefined
  let channel = ''

  /** Serialises queries, because a connection runs one query at a time. */
  let sent = Promise.resolve()
  async function send(payload: string): Promise<void> {
    await client?.query('select pg_notify($1, $2)', [channel, payload]).catch(() => undefined)
  }

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, keepAlive: true })
    next.on('error', () => undefined)
    next.on('notification', ({ payload }) => {
      const { from, ...notice } = JSON.parse(payload ?? '{}') as Notice & { from: string }
      if (from !== own) listeners.hear(notice)
    })
    try {
      await next.connect()
      const { rows } = await next.query<{ channel: string }>(CHANNEL)
      channel = rows[0]?.channel ?? ''
      await next.query(`listen "${channel}"`)
      await next.query(SAY_THAT_IT_RUNS)
    } catch (error) {
      await next.end().catch(() => undefined)
      throw error
    }
    if (isClosed) {
      // The notices were closed while the connection was opening.
      await next.end()
      return
    }
    client = next
    next.once('end', reconnectLater)
  }

  function reconnectLater(): void {
    client = undefined
    if (!isClosed) setTimeout(() => void connect().catch(reconnectLater), RECONNECT_MS).unref()
  }

  await connect()
  return {
    async publish(notice) {
      listeners.hear(notice)
      const payload = JSON.stringify({ from: own, ...notice })
      if (Buffer.byteLength(payload) > MAX_PAYLOAD_BYTES) throw new Error('A notice is too long.')
      sent = sent.then(() => send(payload))
      await sent
    },
    subscribe: (topic, listener) => listeners.subscribe(topic, listener),
    async close() {
      isClosed = true
      await client?.end()
    },
  }
}
