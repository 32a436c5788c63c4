import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Bundle, createBundle, openBundle, publish, putObject } from '../lib/bundles.ts'
import { curl, inParallel, memoryMb, watching } from '../lib/measure.ts'
import { openProduct, type Product } from '../lib/product.ts'
import { existing, wholeNumber } from '../lib/settings.ts'
import { ownFolder, run } from '../lib/undo.ts'

/**
 * Downloads a bundle of `FILES` (1000) uploaded files with a total of `SIZE` (20 GiB) as one archive, and tests the
 * archive with `unzip -t`. Measures the first byte and the growth of the server's memory. The archive is in a folder
 * of `SCRATCH`, and the server's data in the temporary folder. Each needs the size as free space.
 * Exits with 1 if the first byte takes `FIRST_MS` (300), the memory grows by `GROWTH` (150) MB, or the archive is
 * damaged.
 */

const SIZE = wholeNumber('SIZE', 20 * 1024 ** 3)
const FILES = wholeNumber('FILES', 1000)
const FIRST_MS = wholeNumber('FIRST_MS', 300)
const GROWTH_MB = wholeNumber('GROWTH', 150)
const AT_ONCE = 4
const FILE_BYTES = Math.ceil(SIZE / FILES)

async function makeBundle(product: Product): Promise<Bundle> {
  const bundle = await createBundle(product)
  const common = randomBytes(FILE_BYTES)
  await inParallel(FILES, AT_ONCE, (n) => {
    const mark = createHash('sha512').update(String(n)).digest()
    const bytes = Buffer.from(common)
    mark.copy(bytes)
    return putObject(product, bundle, { n, filename: `${n}.bin`, bytes })
  })
  const items = Array.from({ length: FILES }, (_, n) => ({
    path: `folder ${n % 10}/${n}.bin`,
    source: { object: n },
  }))
  await publish(product, bundle, { title: 'Large', items })
  return bundle
}

const scratch = ownFolder(existing('SCRATCH', undefined))
await using product = await openProduct()
await product.allowFilesOf(FILE_BYTES)
const bundle = await makeBundle(product)
const ticket = await openBundle(product, bundle)
const output = join(scratch.path, 'bundle.zip')
const beforeMb = product.pid === null ? 0 : await memoryMb(product.pid)
const { result, peakMb, cpu } = await watching(product.pid, () =>
  curl(`${product.url}api/bundles/${bundle.slug}/archive?ticket=${ticket}`, [], { output }),
)
const grownMb = (peakMb ?? 0) - beforeMb
const { stdout } = await run('unzip', ['-tq', output])
console.log(
  `${FILES} files of ${FILE_BYTES} bytes in ${result.seconds.toFixed(1)} s, ${cpu?.toFixed(1)} s of processor`,
)
console.log(`first byte ${result.firstByteMs.toFixed(0)} ms (limit ${FIRST_MS})`)
console.log(
  `memory ${beforeMb.toFixed(0)} MB before, ${grownMb.toFixed(0)} MB more at its peak (limit ${GROWTH_MB})`,
)
console.log(stdout.trim())
if (result.firstByteMs >= FIRST_MS || grownMb >= GROWTH_MB) process.exitCode = 1
