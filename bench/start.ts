import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../packages/storage/src/testing/free-port.ts'
import { end } from './lib/limits.ts'
import { createTable, memoryMb } from './lib/measure.ts'
import { OWN_PASSWORD } from './lib/product.ts'
import { decimal, wholeNumber } from './lib/settings.ts'
import { ownFolder, refuse } from './lib/undo.ts'

/**
 * Compares the packaged product (run `npm run package` first) with a bare Node.js server. Measures the time from the
 * start of the process to its first response, and its memory after `IDLE` (8) idle seconds. Both start on an existing
 * data folder with a warm compile cache. Runs `ROUNDS` (5), alternating.
 */

const ROUNDS = wholeNumber('ROUNDS', 5)
const IDLE_MS = decimal('IDLE', 8, { least: 0 }) * 1000
const POLL_MS = 3
const PACKED = new URL('../.cache/package/server/main.js', import.meta.url).pathname

if (!existsSync(PACKED)) refuse('The product is not packaged: run `npm run package` first.')
const { path: dataDir } = ownFolder()

async function measure(args: readonly string[]): Promise<{ readyMs: number; idleMb: number }> {
  const port = String(await freePort())
  const env = {
    ...process.env,
    PORT: port,
    BARE_PORT: port,
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    ADMIN_PASSWORD: OWN_PASSWORD,
    LOG_LEVEL: 'warn',
  }
  const startedAt = performance.now()
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`${args.at(-1)} did not start.`)
      const answer = await fetch(`http://127.0.0.1:${port}/api/health`).catch(() => null)
      if (answer?.ok) break
      await sleep(POLL_MS)
    }
    const readyMs = performance.now() - startedAt
    await sleep(IDLE_MS)
    return { readyMs, idleMb: await memoryMb(child.pid ?? 0) }
  } finally {
    await end(child)
  }
}

const sides: ReadonlyArray<readonly [string, readonly string[]]> = [
  ['Dropleaf', [PACKED]],
  ['bare Node.js', [new URL('./lib/bare-texts.ts', import.meta.url).pathname]],
]

const table = createTable({ readyMs: 'first answer, ms', idleMb: 'idle, MB' })
for (const [, args] of sides) await measure(args)
for (let round = 0; round < ROUNDS; round += 1)
  for (const [name, args] of sides) table.add(name, await measure(args))
table.print(`start, ${ROUNDS} rounds`, [['Dropleaf', 'bare Node.js']])
