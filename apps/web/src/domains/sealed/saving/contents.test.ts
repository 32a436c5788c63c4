import { type Bytes, openManifest } from '@dropleaf/seal'
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader } from '@zip.js/zip.js'
import { expect, test } from 'vitest'
import { createReading, type SealedReading } from '../reading/sealed-reading.ts'
import { makeSealedShare } from '../testing/sealed-share.ts'
import { archiveOf, encryptedCopyOf, fileOf } from './contents.ts'
import type { SaveContents } from './pour.ts'

const ID = '00112233-4455-6677-8899-aabbccddeeff'
const bytesOf = (length: number) =>
  Uint8Array.from({ length }, (_, index) => Math.imul(index, 0x9e_37_79_b1) >>> 24)
const files = {
  'a.txt': new TextEncoder().encode('one'),
  'd/b.bin': bytesOf(1_200_000),
  'd/e/c.txt': bytesOf(5),
}

async function open(content: Record<string, Bytes> = files) {
  const made = await makeSealedShare({ id: ID, title: 'Trip', files: content })
  const { salt, kdf } = made.share.facts
  const stored = new Map(made.objects.map(({ n, bytes }) => [n, bytes]))
  const reading = createReading({
    bundleId: ID,
    revision: 1,
    salts: { salt, kdf },
    manifest: made.manifest,
    sealedManifest: made.sealedManifest,
    readRange:
      (n) =>
      async ({ firstByte, endByte }) => {
        const bytes = stored.get(n) ?? new Uint8Array()
        return { bytes: bytes.slice(firstByte, endByte), objectBytes: bytes.length }
      },
  })
  return { made, reading, stored }
}

async function collect(contents: SaveContents, offset = 0): Promise<Bytes> {
  const pieces: Bytes[] = []
  for await (const piece of contents.stream(offset, new AbortController().signal)) pieces.push(piece.slice())
  return new Uint8Array(await new Blob(pieces).arrayBuffer())
}

async function unzip(bytes: Bytes): Promise<Map<string, Bytes>> {
  const reader = new ZipReader(new Uint8ArrayReader(bytes))
  const found = new Map<string, Bytes>()
  for (const entry of await reader.getEntries()) {
    if (entry.directory) continue
    expect(entry.compressionMethod).toBe(0)
    found.set(entry.filename, new Uint8Array(await entry.getData(new Uint8ArrayWriter())))
  }
  return found
}

test('a file is decrypted whole, or from where an attempt was interrupted', async () => {
  const { reading } = await open()
  const item = reading.find('d/b.bin')
  if (!item) throw new Error('missing')
  const contents = await fileOf(reading, item)
  expect(contents.name).toBe('b.bin')
  expect(await collect(contents)).toEqual(files['d/b.bin'])
  expect(await collect(contents, 262_144)).toEqual(files['d/b.bin'].subarray(262_144))
  expect(contents.resumeKey).toMatch(/^[\w-]{43}$/)
  expect(contents.resumeKey).not.toContain('b.bin')
})

test('an interrupted download resumes only with the same encryption of the same revision', async () => {
  const keyOf = async (reading: SealedReading, path = 'd/b.bin') => {
    const item = reading.find(path)
    if (!item) throw new Error('missing')
    return (await fileOf(reading, item)).resumeKey
  }
  const [{ reading }, { reading: other }] = [await open(), await open()]
  expect(await keyOf(reading)).toBe(await keyOf(reading))
  expect(await keyOf(reading)).not.toBe(await keyOf(reading, 'a.txt'))
  expect([other.bundleId, other.revision, other.find('d/b.bin')]).toEqual([
    reading.bundleId,
    reading.revision,
    reading.find('d/b.bin'),
  ])
  expect(await keyOf(other)).not.toBe(await keyOf(reading))
  for (const change of ['dek', 'salts'] as const) {
    const objects = reading.manifest.objects.map((object, at) => ({
      ...object,
      [change]: other.manifest.objects[at]?.[change] ?? '',
    }))
    const changed = { ...reading, manifest: { ...reading.manifest, objects } }
    expect(await keyOf(changed)).not.toBe(await keyOf(reading))
  }
})

test('several files are one archive, below the name of their folder', async () => {
  const { reading } = await open()
  const whole = archiveOf(reading, { items: reading.manifest.items, folder: '', name: 'Trip' })
  const found = await unzip(await collect(whole))
  expect([...found.keys()].sort()).toEqual(['a.txt', 'd/b.bin', 'd/e/c.txt'])
  expect(found.get('d/b.bin')).toEqual(files['d/b.bin'])
  const items = reading.manifest.items.filter(({ path }) => path.startsWith('d/e/'))
  const folder = archiveOf(reading, { items, folder: 'd/e', name: 'e' })
  expect([...(await unzip(await collect(folder))).keys()]).toEqual(['e/c.txt'])
  expect(folder.name).toBe('e.zip')
})

test('names in an archive are valid on Windows and stay unique', async () => {
  const one = new TextEncoder().encode('1')
  const { reading } = await open({ 'a:b.txt': one, 'a?b.txt': one, 'd/CON': one })
  const whole = archiveOf(reading, { items: reading.manifest.items, folder: '', name: 'Trip' })
  const names = [...(await unzip(await collect(whole))).keys()]
  expect(names.sort()).toEqual(['a_b(1).txt', 'a_b.txt', 'd/CON_'])
})

test('an archive with a changed object fails instead of ending', async () => {
  const { reading, stored } = await open()
  const bytes = stored.get(reading.find('d/b.bin')?.object ?? -1)
  if (bytes) bytes[900_000] = (bytes[900_000] ?? 0) ^ 1
  const whole = archiveOf(reading, { items: reading.manifest.items, folder: '', name: 'Trip' })
  await expect(collect(whole)).rejects.toMatchObject({ code: 'object.segment' })
})

test('an encrypted copy has all that its key needs, and nothing that was decrypted', async () => {
  const { made, reading } = await open()
  const copy = encryptedCopyOf(reading, 'Trip')
  expect(copy.name).toBe('Trip.dropleaf.zip')
  const found = await unzip(await collect(copy))
  const facts = JSON.parse(new TextDecoder().decode(found.get('dropleaf.json'))) as {
    id: string
    revision: number
    salt: string
    kdf: null
    objects: { n: number; file: string; stored: number }[]
  }
  expect(facts).toMatchObject({ format: 'dropleaf-portable', v: 1, id: ID, revision: 1, kdf: null })
  for (const { n, bytes } of made.objects) {
    const { file = '', stored = 0 } = facts.objects.find((object) => object.n === n) ?? {}
    expect(stored).toBe(bytes.length)
    expect(found.get(file)).toEqual(bytes)
  }
  const manifest = await openManifest({
    sealed: found.get('manifest.bin') ?? new Uint8Array(),
    manifestKey: made.share.keys.manifestKey,
    place: { bundleId: facts.id, revision: facts.revision, salts: { salt: facts.salt, kdf: facts.kdf } },
  })
  expect(manifest.title).toBe('Trip')
})
