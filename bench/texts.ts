import { call, logIn, quantile } from './target.ts'

/** Creates and reads of texts at 32 connections, as requests per second and latency in ms. */

const CONNECTIONS = 32
const SECONDS = Number(process.env.SECONDS ?? 5)
const SIZES = [1_000, 100_000]

interface Figures {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
}

async function measure(one: (turn: number) => Promise<void>): Promise<Figures> {
  const latencies: number[] = []
  const endsAt = performance.now() + SECONDS * 1000
  let turn = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      while (performance.now() < endsAt) {
        const startedAt = performance.now()
        turn += 1
        await one(turn)
        latencies.push(performance.now() - startedAt)
      }
    }),
  )
  const sorted = latencies.toSorted((a, b) => a - b)
  return {
    perSecond: Math.round(latencies.length / SECONDS),
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
  }
}

async function expectStatus(
  answer: Promise<{ status: number; text: string }>,
  status: number,
): Promise<string> {
  const { status: actual, text } = await answer
  if (actual !== status) throw new Error(`Expected ${status}, got ${actual}: ${text.slice(0, 200)}`)
  return text
}

const token = await logIn()
console.log('| what | per second | p50 ms | p99 ms |\n| --- | --: | --: | --: |')
for (const size of SIZES) {
  const content = 'Dropleaf '.repeat(Math.ceil(size / 9)).slice(0, size)
  const slugs: string[] = []
  const create = await measure(async () => {
    const text = await expectStatus(call('POST', '/api/paste', { body: { content }, token }), 201)
    if (slugs.length < 1000) slugs.push((JSON.parse(text) as { slug: string }).slug)
  })
  const slugOf = (turn: number) => slugs[turn % slugs.length] ?? ''
  const read = await measure(
    async (turn) => void (await expectStatus(call('GET', `/api/paste/${slugOf(turn)}`), 200)),
  )
  const raw = await measure(
    async (turn) => void (await expectStatus(call('GET', `/api/raw/${slugOf(turn)}`), 200)),
  )
  for (const [name, figures] of Object.entries({ create, read, raw })) {
    console.log(
      `| ${name} ${size / 1000} kB | ${figures.perSecond} | ${figures.p50Ms.toFixed(1)} | ${figures.p99Ms.toFixed(1)} |`,
    )
  }
}
process.exit(0)
