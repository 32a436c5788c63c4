import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Sender, Task } from './lib/brackets.worker.ts'
import { quantile, timed, watching } from './lib/measure.ts'
import { openProduct } from './lib/product.ts'
import { decimal, wholeNumber } from './lib/settings.ts'

/**
 * Measures `/api/health` while `SENDERS` (10) clients send JSON that consists only of opening brackets, for `SECONDS`
 * (10) each. The clients are anonymous and announce a megabyte, no length or 16 kB, or are logged in and send 60 MB.
 * Exits with 1 if more than 1 in 100 responses takes 50 ms or more.
 */

const SENDERS = wholeNumber('SENDERS', 10)
const SECONDS = decimal('SECONDS', 10, { least: 1 })
const MOST_MS = 50
const MIB = 1024 ** 2

async function sendBeside(task: Task): Promise<Map<string, number>> {
  const worker = new Worker(new URL('./lib/brackets.worker.ts', import.meta.url), { workerData: task })
  const [statuses] = (await once(worker, 'message')) as [Map<string, number>]
  return statuses
}

async function measure(address: string, pid: number | null, sender: Sender | null): Promise<boolean> {
  const latencies: number[] = []
  const { result: statuses, peakMb } = await watching(pid, async () => {
    const sent =
      sender === null
        ? new Map<string, number>()
        : sendBeside({ address, sender, count: SENDERS, seconds: SECONDS })
    const until = performance.now() + SECONDS * 1000
    while (performance.now() < until)
      latencies.push(await timed(async () => (await fetch(new URL('api/health', address))).text()))
    return sent
  })
  latencies.sort((a, b) => a - b)
  const [middle = '', late = '', worst = ''] = [0.5, 0.99, 1].map((share) =>
    quantile(latencies, share).toFixed(1),
  )
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ') || 'nobody'
  console.log(
    `| ${sender?.name ?? 'alone'} | ${latencies.length} | ${middle} | ${late} | ${worst} | ${peakMb?.toFixed(0) ?? ''} | ${answers} |`,
  )
  return quantile(latencies, 0.99) < MOST_MS
}

await using product = await openProduct()
const login = { path: 'api/admin/login', authorization: null }
const session = { path: 'api/paste', authorization: `Bearer ${product.token}` }
const senders: ReadonlyArray<Sender | null> = [
  null,
  { name: 'strangers, 1 MB', ...login, announcedBytes: MIB },
  { name: 'strangers, 1 MB in pieces', ...login, announcedBytes: null },
  { name: 'strangers, 16 kB', ...login, announcedBytes: 16 * 1024 },
  { name: 'a session, 60 MB', ...session, announcedBytes: 60 * MIB },
]
console.log(
  `| ${SENDERS} beside | asked | median, ms | p99, ms | worst, ms | peak, MB | answers to the senders |`,
)
console.log('| --- | --: | --: | --: | --: | --: | --- |')
for (const sender of senders) if (!(await measure(product.url, product.pid, sender))) process.exitCode = 1
