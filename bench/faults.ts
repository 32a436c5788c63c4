import { brokenBucket } from './faults/bucket.ts'
import { clockJump } from './faults/clock.ts'
import { halfOpen, idleConnections, slowHeads, slowReaders, stuckWriters } from './faults/connections.ts'
import { lockedDatabase } from './faults/database.ts'
import { fullDisk } from './faults/disk.ts'
import type { Report } from './faults/product.ts'
import { choice } from './lib/settings.ts'
import { refuse as stopWith } from './lib/undo.ts'

/**
 * Injects faults around a running server, one after another. Reports the errors that clients get, the time until the
 * first success afterwards, and the memory used. Exits with 1 if a check fails. Needs root, to mount a small disk, and
 * Ceph's packages, for a bucket behind a faulty proxy. `ONLY` selects one fault.
 */

const FAULTS: ReadonlyArray<readonly [string, () => Promise<Report>]> = [
  ['idle connections', idleConnections],
  ['slow readers', slowReaders],
  ['full disk', fullDisk],
  ['locked database', lockedDatabase],
  ['clock jumps', clockJump],
  ['broken bucket', brokenBucket],
  ['heads without an end', slowHeads],
  ['bodies that stop', stuckWriters],
  ['half-open connections', halfOpen],
]

const ONLY = choice(
  'ONLY',
  FAULTS.map(([name]) => name),
  null,
)
if (process.getuid?.() !== 0) stopWith('Only root can make a small disk and a gateway.')
for (const [name, inject] of FAULTS) {
  if (ONLY !== null && ONLY !== name) continue
  try {
    const { told, isGood } = await inject()
    console.log(`${isGood ? 'ok ' : 'BAD'} ${name}: ${told}`)
    if (!isGood) process.exitCode = 1
  } catch (error) {
    console.log(`BAD ${name}: ${String(error)}`)
    process.exitCode = 1
  }
}
process.exit()
