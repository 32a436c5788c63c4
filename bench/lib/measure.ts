import { readFile } from 'node:fs/promises'
import { Agent, type ClientRequest, type IncomingMessage, request, type RequestOptions } from 'node:http'
import { Agent as SecureAgent, request as requestSecurely } from 'node:https'
import { loadavg } from 'node:os'
import { run } from './undo.ts'

/** Returns a quantile of sorted numbers; a `share` of 0.5 is the median. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.floor((sorted.length - 1) * share)] ?? 0

export const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** Measures the duration of `work` in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Runs `work` for every number below `count`, at most `atOnce` at a time. */
export async function inParallel(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0
  const one = async () => {
    while (next < count) {
      const index = next
      next += 1
      await work(index)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, one))
}

/** An HTTP server to send requests to. */
export interface Target {
  readonly name: string
  /** URL of a folder, with a trailing slash. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Sent {
  readonly body?: Buffer
  readonly headers?: Readonly<Record<string, string | number>>
}

/** An unsuccessful response. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** Connections of one client, for HTTP and HTTPS. */
export function createConnections(maxSockets = Infinity) {
  const plain = new Agent({ keepAlive: true, maxSockets })
  const secure = new SecureAgent({ keepAlive: true, maxSockets })
  return {
    request(url: URL, o: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest {
      const isSecure = url.protocol === 'https:'
      if (isSecure) return requestSecurely(url, { ...o, agent: secure }, onAnswer)
      return request(url, { ...o, agent: plain }, onAnswer)
    },
    close(): void {
      plain.destroy()
      secure.destroy()
    },
  }
}

export const connections = createConnections()

/** Sends one request and reads the whole response. @returns the body. @throws {AnswerError} unless the status is 2xx */
export function send(
  { name, url, headers: own }: Target,
  method: string,
  path: string,
  { body, headers = {} }: Sent = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = { method, headers: { ...own, ...headers } }
    const call = connections.request(new URL(path, url), sent, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const status = answer.statusCode ?? 0
        const bytes = Buffer.concat(chunks)
        if (status >= 200 && status < 300) resolve(bytes)
        else {
          const told = `${name}: ${method} ${path} answered ${status}: ${bytes.toString().slice(0, 200)}`
          reject(new AnswerError(told, status))
        }
      })
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** Measurements of `curl` for one large body. */
export interface Carried {
  readonly seconds: number
  /** Time to the first byte of the response, in milliseconds. */
  readonly firstByteMs: number
  /** Body of the response if `output` was `-`, otherwise empty. */
  readonly body: string
}

/**
 * Transfers a file with `curl`, which has little overhead.
 * @throws {Error} if the transfer fails or the status is 400 or above
 */
export async function curl(
  url: string,
  args: readonly string[],
  { headers = {}, output = '/dev/null' }: { headers?: Target['headers']; output?: string } = {},
): Promise<Carried> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['--header', `${name}: ${value}`])
  const common = ['--silent', '--show-error', '--fail', '--location', '--output', output]
  const told = ['--write-out', '%{stderr}%{time_total} %{time_starttransfer}']
  const { stdout, stderr } = await run('curl', [...common, ...told, ...given, ...args, url]).catch(
    // Replaces the error, because Node.js puts the whole command into it, including the API key.
    (error: Error & { stderr?: string }) => {
      if (error.stderr === undefined) throw error
      throw new Error(`${url}: ${error.stderr.split('\n')[0] || 'curl was stopped.'}`)
    },
  )
  const [seconds = 0, firstByte = 0] = stderr.trim().split(' ').map(Number)
  return { seconds, firstByteMs: firstByte * 1000, body: stdout }
}

const CLOCK_TICKS = 100

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
  const own = text.trim() === '' ? [] : text.trim().split(' ').map(Number)
  const further = await Promise.all(own.map(childrenOf))
  return [...own, ...further.flat()]
}

const treeOf = async (pid: number) => [pid, ...(await childrenOf(pid))]

/** Processor time of a process and its descendants, in seconds. */
async function cpuSeconds(pid: number): Promise<number> {
  let ticks = 0
  for (const one of await treeOf(pid)) {
    const stat = await readFile(`/proc/${one}/stat`, 'utf8').catch(() => '')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    ticks += Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
  }
  return ticks / CLOCK_TICKS
}

/** Memory of a process and its descendants: proportional set size, in megabytes (1,000,000 bytes). */
export async function memoryMb(pid: number): Promise<number> {
  let kib = 0
  for (const one of await treeOf(pid)) {
    const text = await readFile(`/proc/${one}/smaps_rollup`, 'utf8').catch(() => '')
    kib += Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
  }
  return (kib * 1024) / 1e6
}

/** Sampling interval. Each sample costs the measured process some milliseconds, so the interval is long. */
const SAMPLE_MS = 400

/**
 * Samples the memory of a process before, while and after `work` runs. Also measures its processor time.
 * @param pid `null` if the process runs on another machine; nothing is measured then
 */
export async function watching<T>(
  pid: number | null,
  work: () => Promise<T>,
): Promise<{ result: T; peakMb: number | null; cpu: number | null }> {
  if (pid === null) return { result: await work(), peakMb: null, cpu: null }
  let peakMb = await memoryMb(pid)
  const sampling = setInterval(() => {
    void memoryMb(pid).then((mb) => (peakMb = Math.max(peakMb, mb)))
  }, SAMPLE_MS)
  try {
    const before = await cpuSeconds(pid)
    const result = await work()
    const cpu = (await cpuSeconds(pid)) - before
    return { result, peakMb: Math.max(peakMb, await memoryMb(pid)), cpu }
  } finally {
    clearInterval(sampling)
  }
}

/** Collects figures and prints their medians. */
export function createTable<Key extends string>(columns: Readonly<Record<Key, string>>) {
  const sides = new Map<string, Array<Partial<Record<Key, number>>>>()
  const keys = Object.keys(columns) as Key[]
  const digitsOf = (value: number) => (value < 1 ? 3 : value < 100 ? 1 : 0)
  const shown = (value: number | undefined) =>
    value === undefined
      ? ''
      : value.toLocaleString('en-US', { maximumFractionDigits: digitsOf(value), useGrouping: value >= 1000 })
  const cellOf = (rounds: ReadonlyArray<Partial<Record<Key, number>>>, key: Key) => {
    const values = rounds.flatMap((round) => round[key] ?? [])
    return values.length === 0 ? undefined : median(values)
  }
  return {
    add(side: string, figures: Partial<Record<Key, number | null>>): void {
      const known = Object.entries<number | null | undefined>(figures).filter(([, value]) => value !== null)
      const rounds = sides.get(side) ?? []
      rounds.push(Object.fromEntries(known) as Partial<Record<Key, number>>)
      sides.set(side, rounds)
    },
    /** @param ratios pairs of sides; the result of the first is printed relative to the second */
    print(title: string, ratios: ReadonlyArray<readonly [string, string]> = []): void {
      const load = loadavg().map((one) => one.toFixed(1))
      console.log(`\n${title}; load average ${load.join(' ')}\n`)
      console.log(`| | ${keys.map((key) => columns[key]).join(' | ')} |`)
      console.log(`| --- |${' --: |'.repeat(keys.length)}`)
      for (const [side, rounds] of sides)
        console.log(`| ${side} | ${keys.map((key) => shown(cellOf(rounds, key))).join(' | ')} |`)
      for (const [side, limit] of ratios) {
        const [own, other] = [sides.get(side), sides.get(limit)]
        if (!own || !other) continue
        const cells = keys.map((key) => {
          const [a, b] = [cellOf(own, key), cellOf(other, key)]
          return a === undefined || b === undefined || b === 0 ? '' : (a / b).toFixed(2)
        })
        console.log(`| ${side} / ${limit} | ${cells.join(' | ')} |`)
      }
    },
  }
}
