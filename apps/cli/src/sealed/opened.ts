import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  createSealedSource,
  type Manifest,
  type ManifestObject,
  PACKED_BELOW_BYTES,
  type ReadRange,
  type SealedSource,
  sliceSource,
} from '@dropleaf/seal'
import { type BundleContents, saveContents, saveOne, savePage } from '../bundles/save-contents.ts'
import { CliError, EXIT } from '../errors.ts'
import { printJson, type Run } from '../run.ts'
import { STDOUT } from '../targets/targets.ts'
import { saveSlice } from './save-slice.ts'
import { withSealWords } from './words.ts'

/** A decrypted manifest, and the function that reads its objects. */
export interface OpenedSeal {
  readonly bundleId: string
  readonly revision: number
  readonly manifest: Manifest
  readonly readRangeOf: (n: number) => ReadRange
  /** Name of the folder if the bundle has no title. */
  readonly slug: string
}

interface Slice {
  readonly object: number
  readonly offset: number
  readonly size: number
}

/**
 * Maximum number of objects with several files whose decrypted bytes are cached. A higher number would need a lot of
 * memory.
 */
const SHARED_SOURCES_MAX = 4

/** Returns functions that find the object of a file, and open the slice of the object that contains the file. */
function createSlices({ manifest, readRangeOf }: OpenedSeal) {
  const objects = new Map(manifest.objects.map((object) => [object.n, object]))
  const shared = new Map<number, SealedSource>()
  const open = (object: ManifestObject) => createSealedSource(object, readRangeOf(object.n))
  return {
    objectOf: ({ object }: Slice): ManifestObject => {
      const found = objects.get(object)
      // The manifest was checked before, so the object always exists.
      if (!found) throw new CliError({ exitCode: EXIT.refused, text: 'seal.invalid' })
      return found
    },
    sourceOf(slice: Slice): SealedSource {
      const object = this.objectOf(slice)
      if (slice.size >= PACKED_BELOW_BYTES) return sliceSource(open(object), slice)
      const source = shared.get(object.n) ?? open(object)
      shared.delete(object.n)
      shared.set(object.n, source)
      const [oldest] = shared.keys()
      if (shared.size > SHARED_SOURCES_MAX && oldest !== undefined) shared.delete(oldest)
      return sliceSource(source, slice)
    },
  }
}

async function readPage({ manifest }: OpenedSeal, sourceOf: (slice: Slice) => SealedSource): Promise<string> {
  const { page } = manifest
  if (!page) return ''
  if ('text' in page) return page.text
  const bytes = await withSealWords('', sourceOf(page).read(0, page.size))
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

const digestOf = (manifest: Manifest) => createHash('sha256').update(JSON.stringify(manifest)).digest('hex')

function contentsOf(run: Run, seal: OpenedSeal): BundleContents {
  const { bundleId, revision, manifest, slug } = seal
  const slices = createSlices(seal)
  const items = new Map(manifest.items.map((item) => [item.path, item]))
  const getItem = (path: string) => {
    const item = items.get(path)
    if (!item) throw new CliError({ exitCode: EXIT.notFound, text: 'get.no_item', params: { name: path } })
    return item
  }
  return {
    // The digest tells two contents apart that have the same revision number.
    version: ['sealed', bundleId, String(revision), digestOf(manifest)],
    title: manifest.title ?? null,
    slug,
    page: manifest.page
      ? { type: manifest.page.type, read: () => readPage(seal, (slice) => slices.sourceOf(slice)) }
      : null,
    async find(only) {
      const isWanted = (path: string) => only === null || path === only || path.startsWith(`${only}/`)
      const files = [...items.values()].filter(({ path }) => isWanted(path))
      return { files: files.map(({ path, size }) => ({ path, sizeBytes: size })), gone: [] }
    },
    async save(one) {
      const item = getItem(one.file.path)
      const { n, salts } = slices.objectOf(item)
      // The salts differ for each encryption of an object, so they identify its bytes.
      const etag = JSON.stringify([n, item.offset, salts])
      const version = { source: `sealed ${bundleId}`, etag, sizeBytes: item.size }
      await saveSlice(slices.sourceOf(item), version, one)
    },
    async print({ path }) {
      const stream = Readable.from(slices.sourceOf(getItem(path)).stream(), { objectMode: false })
      await withSealWords(path, pipeline(stream, run.environment.stdout, { end: false }))
    },
  }
}

/** Prints a text, or saves it if the options name a target. */
async function giveText(run: Run, { slug, manifest }: OpenedSeal, text: string): Promise<void> {
  const { options, environment } = run
  if (options.output !== undefined && options.output !== STDOUT) await savePage(run, text, `${slug}.txt`)
  else if (options.json) printJson(run, { slug, content_type: manifest.page?.type, content: text })
  else environment.stdout.write(text)
}

/**
 * Saves an opened bundle. A single text or file is saved like a share that is not encrypted. Everything else is saved
 * like a bundle.
 * @throws {CliError}
 */
export async function saveOpened(run: Run, seal: OpenedSeal, only: string | null): Promise<void> {
  const contents = contentsOf(run, seal)
  const { items, title } = seal.manifest
  const [item, other] = items
  const isAlone = only === null && !title
  if (isAlone && contents.page && !item) await giveText(run, seal, await contents.page.read())
  else if (isAlone && !contents.page && item && !other && !item.path.includes('/'))
    await saveOne(run, { contents, file: { path: item.path, sizeBytes: item.size } })
  else await saveContents(run, contents, only)
}
