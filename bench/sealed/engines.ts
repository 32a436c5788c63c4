import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { basename } from 'node:path'
import { languageOf } from '../../apps/web/src/locales/languages.ts'
import { loadWordsOf } from '../../apps/web/src/testing/words.ts'
import { type BrowserName, hasBrowser, startBrowser } from '../../e2e/support/engines/browsers.ts'
import { openLink, saveFile, sendFiles } from '../../e2e/support/engines/journey.ts'
import { requirePages } from '../lib/browser.ts'
import { startGateway } from '../lib/gateway.ts'
import { makeLargeFile } from '../lib/large-file.ts'
import { startPayloadCounter } from '../lib/payload-counter.ts'
import { addBucket, openProduct } from '../lib/product.ts'
import { choice, existing, wholeNumber } from '../lib/settings.ts'
import { ownFolder, refuse } from '../lib/undo.ts'

/**
 * Encrypts one file of `SIZE` (2 GiB) on the upload page of `BROWSER` (firefox; or chromium, webkit) and sends it to
 * a Ceph gateway. Then downloads the file with a new profile of the same browser. Prints the checksums of the file
 * and of the download, and the payload through the server. Exits with 1 if the checksums differ or payload went
 * through the server. `SCRATCH` is a folder for the files, by default the temporary folder. The gateway stores
 * everything in memory. WebKit needs a screen, so run it with `xvfb-run -a`.
 */

const BROWSERS: readonly BrowserName[] = ['chromium', 'firefox', 'webkit']
const SIZE = wholeNumber('SIZE', 2 * 1024 ** 3)
const BROWSER = choice<BrowserName, BrowserName>('BROWSER', BROWSERS, 'firefox')
/** How long an upload or a download can take. */
const PATIENCE_MS = 3_600_000
const MB = 1_000_000

async function checksum(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now()
  const result = await work()
  const seconds = (performance.now() - startedAt) / 1000
  console.log(`${what}: ${seconds.toFixed(1)} s, ${(SIZE / MB / seconds).toFixed(1)} MB/s`)
  return result
}

async function measure(): Promise<boolean> {
  if (!hasBrowser(BROWSER)) refuse(`BROWSER is ${BROWSER}, which is not installed.`)
  const scratch = ownFolder(existing('SCRATCH', undefined))
  // Makes the scratch folder the temporary folder, because the browsers download to the temporary folder.
  process.env.TMPDIR = scratch.path
  const file = await makeLargeFile(scratch.path, SIZE)
  const words = await loadWordsOf(languageOf('en-US'))
  const ceph = await startGateway()
  await using product = await openProduct()
  await requirePages(product)
  await product.allowFilesOf(SIZE)
  const { storageId } = await addBucket(product, ceph.gateway)
  await product.call('POST', `api/s3-configs/${storageId}/test`, { fix: true })
  const { seen, url: origin, stop } = await startPayloadCounter(product.url)
  const engine = await startBrowser(BROWSER)
  console.log(`${engine.name}, ${SIZE} bytes`)
  const sender = await engine.openProfile()
  const sending = { origin, token: product.token, storageId, paths: [file], patienceMs: PATIENCE_MS }
  const link = await timed('encrypted and sent', () => sendFiles(sender, words, sending))
  await sender.close()
  const reader = await engine.openProfile()
  const tab = await openLink(reader, link)
  const wanted = { tab, name: basename(file), sizeBytes: SIZE, patienceMs: PATIENCE_MS }
  const saved = await timed('decrypted and saved', () => saveFile(reader, words, wanted))
  const expected = await checksum(file)
  const actual = await checksum(saved)
  console.log(`SHA-256 of the file     ${expected}`)
  console.log(`SHA-256 of the download ${actual} ${expected === actual ? '(equal)' : '(DIFFERENT)'}`)
  console.log(
    `payload through the server: ${seen.payloadBytes} bytes, of ${seen.allBytes} bytes with the app itself`,
  )
  await reader.close()
  await engine.close()
  await stop()
  await ceph.stop()
  return expected === actual && seen.payloadBytes === 0
}

if (!(await measure())) process.exitCode = 1
