import { createTable, curl, inParallel, send, watching } from './lib/measure.ts'
import { openProduct } from './lib/product.ts'
import { wholeNumber } from './lib/settings.ts'

/**
 * Downloads a folder of `FILES` (10,000) files of 10 kB on a mount as one archive, `ROUNDS` (3) times. Measures the
 * time to the first and last byte, and the server's resources. `BASE_URL` selects a running server.
 */

const FILES = wholeNumber('FILES', 10_000)
const ROUNDS = wholeNumber('ROUNDS', 3)
const BYTES = Buffer.alloc(10_000, 'small')
const AT_ONCE = 8

await using product = await openProduct()
const { headers } = await product.createKey()
const path = await product.makeFolder()
const folder = { name: 'Dropleaf', url: `${product.url}dav${path}/`, headers }
await inParallel(FILES, AT_ONCE, (index) =>
  send(folder, 'PUT', `${index}.bin`, { body: BYTES, headers: { 'content-length': BYTES.length } }),
)
const table = createTable({
  seconds: 'whole, s',
  firstByteMs: 'first byte, ms',
  cpu: 'CPU s',
  peakMb: 'peak, MB',
})
const body = JSON.stringify({ paths: [`${path}/`] })
for (let round = 0; round < ROUNDS; round += 1) {
  const given = { headers: { ...headers, 'content-type': 'application/json' } }
  const { result, cpu, peakMb } = await watching(product.pid, () =>
    curl(`${product.url}api/fs/archive`, ['--data-binary', body], given),
  )
  table.add('archive', { seconds: result.seconds, firstByteMs: result.firstByteMs, cpu, peakMb })
}
table.print(`${FILES} files of ${BYTES.length} bytes as an archive, ${ROUNDS} rounds`)
