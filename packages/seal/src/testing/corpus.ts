import { crc32 } from 'node:zlib'
import { type Bytes, concat, randomBytes, toBase64url, utf8 } from '../core/bytes.ts'
import { derivePassword, type Kdf } from '../keys/kdf.ts'
import { createSecret, formatLinkKey } from '../keys/link-key.ts'
import { unlockShare } from '../keys/share.ts'
import { sealManifest } from '../manifest/manifest.ts'
import type { Manifest, ManifestItem, ManifestObject } from '../manifest/manifest.schema.ts'
import {
  formatPortableFacts,
  PORTABLE_FACTS_NAME,
  PORTABLE_MANIFEST_NAME,
  portableObjectName,
} from '../portable/portable.ts'
import { placeZipEntries, zipDirectory, zipEntryHeader } from '../portable/zip-writing.ts'
import { createEncryptingSource } from '../sending/encrypting-source.ts'
import { joinReaders, planPacks } from '../sending/packs.ts'
import { plainOf, randomFrom, readerOf, sendAll } from './stored.ts'

/** Sealed bundles of many forms as portable copies, with their plain contents. */

export interface CorpusItem {
  readonly path: string
  readonly bytes: Bytes
}

export interface CorpusShare {
  readonly name: string
  readonly linkKey: string
  readonly password: string | null
  readonly title: string | null
  readonly text: string | null
  readonly items: readonly CorpusItem[]
  /** Files of the copy, keyed by name. */
  readonly files: ReadonlyMap<string, Bytes>
  /** The same files in one archive. */
  readonly zip: Bytes
}

/** The cheapest parameters that are allowed, so that many passwords take little time. */
const kdf = (): Kdf => ({ name: 'argon2id', m: 19_456, t: 1, p: 1, salt: toBase64url(randomBytes(16)) })

const PASSWORDS = ['pass word', '密码', 'Dro\u0308pleaf \uFB01', '🔑'] as const
const NAMES = ['a.txt', '报告.pdf', 'empty', 'sub/deep/é.bin', 'emoji 🍃.png', 'x y/#&?%.md', 'CON'] as const
const TEXTS = ['Dropleaf', '# 标题\n\n<b>not bold</b> & "quotes"\n', '\uFEFFwith a mark\r\n\tand 🍃'] as const
/** Sizes around the borders of segments and parts. */
const SIZES = [0, 1, 500, 262_143, 262_144, 262_145, 700_001, 1_048_576, 1_300_000] as const

type Random = (below: number) => number
const oneOf = <T>(random: Random, values: readonly T[]): T => values[random(values.length)] as T

function itemsOf(random: Random, count: number): CorpusItem[] {
  return Array.from({ length: count }, (_, at) => {
    const size = oneOf(random, SIZES)
    // Gives files of the same size different contents.
    const bytes = plainOf(size + at).slice(at)
    return { path: `${at}-${oneOf(random, NAMES)}`, bytes }
  })
}

interface Piece {
  readonly item: CorpusItem | null
  readonly bytes: Bytes
  readonly sizeBytes: number
}

/** Encrypts pieces into objects. About half of the objects are encrypted twice, as after a lost connection. */
async function encrypt(random: Random, pieces: readonly Piece[]) {
  const objects: ManifestObject[] = []
  const stored: Bytes[] = []
  const slices = new Map<CorpusItem | null, { object: number; offset: number; size: number }>()
  for (const [object, plan] of planPacks(pieces).entries()) {
    const plain = joinReaders(plan.files.map(({ file }) => readerOf(file.bytes)))
    const segmentsPerPart = oneOf(random, [1, 2, 32])
    const source = createEncryptingSource({ plain, segmentsPerPart, hidesSize: random(3) === 0 })
    if (random(2) === 0) await sendAll(source)
    stored.push(await sendAll(source))
    objects.push(source.describe(object))
    for (const { file, offset } of plan.files) slices.set(file.item, { object, offset, size: file.sizeBytes })
  }
  return { objects, stored, slices }
}

function zipOf(files: ReadonlyMap<string, Bytes>): Bytes {
  const list = [...files].map(([name, bytes]) => ({ name, size: bytes.length, bytes, crc32: crc32(bytes) }))
  const { placed, end } = placeZipEntries(list)
  const entries = placed.map((entry, at) => ({ ...entry, crc32: list[at]?.crc32 ?? 0 }))
  const bodies = list.flatMap((entry) => [zipEntryHeader(entry, entry.crc32), entry.bytes])
  return concat(...bodies, zipDirectory(entries, end))
}

interface CorpusContents extends Pick<CorpusShare, 'name' | 'password' | 'title' | 'text' | 'items'> {
  /** Whether the text is in an object. */
  readonly isTextStored: boolean
}

/** Encrypts contents as a portable copy. */
export async function sealCopy(
  { name, password, title, text, items, isTextStored }: CorpusContents,
  random: Random = randomFrom(1),
): Promise<CorpusShare> {
  const page = text !== null && isTextStored ? utf8(text) : null
  const pieces: Piece[] = [
    ...(page ? [{ item: null, bytes: page, sizeBytes: page.length }] : []),
    ...items.map((item) => ({ item, bytes: item.bytes, sizeBytes: item.bytes.length })),
  ]
  const { objects, stored, slices } = await encrypt(random, pieces)
  const type = oneOf(random, ['text/plain', 'text/markdown'] as const)
  const pageSlice = slices.get(null)
  const listed: ManifestItem[] = items.flatMap((item) => {
    const slice = slices.get(item)
    const itemType = item.path.endsWith('.txt') ? 'text/plain' : 'application/octet-stream'
    return slice ? [{ path: item.path, type: itemType, ...slice }] : []
  })
  const manifest: Manifest = {
    v: 1,
    ...(title !== null && { title }),
    ...(text !== null && { page: pageSlice ? { type, ...pageSlice } : { type, text } }),
    objects,
    items: listed,
  }
  const secret = createSecret()
  const salts = { salt: toBase64url(randomBytes(16)), kdf: password === null ? null : kdf() }
  const { manifestKey } = await unlockShare({ secret, salts, password, derivePassword })
  const place = { bundleId: crypto.randomUUID(), revision: 1 + random(9), salts }
  const facts = {
    id: place.bundleId,
    revision: place.revision,
    salts,
    objects: objects.map(({ n, stored }) => ({ n, file: portableObjectName(n), stored })),
  }
  const files = new Map<string, Bytes>([
    [PORTABLE_FACTS_NAME, utf8(formatPortableFacts(facts))],
    [PORTABLE_MANIFEST_NAME, await sealManifest({ manifest, manifestKey, place })],
    ...stored.map((bytes, n) => [portableObjectName(n), bytes] as const),
  ])
  return { name, linkKey: formatLinkKey(secret), password, title, text, items, files, zip: zipOf(files) }
}

/** Creates a share. The same seed gives the same contents, but new keys. */
export async function makeCorpusShare(seed: number): Promise<CorpusShare> {
  const random = randomFrom(seed)
  const [hasText, isTextStored] = [seed % 3 === 0 || random(3) === 0, seed % 7 === 3]
  const items = seed % 3 === 0 ? [] : itemsOf(random, 1 + random(seed % 5 === 1 ? 30 : 4))
  const short = hasText ? oneOf(random, TEXTS) : null
  const contents = {
    name: `share-${seed}`,
    text: isTextStored ? 'long 长 🍃\n'.repeat(30_000) : short,
    isTextStored,
    items,
    title: items.length > 0 && seed % 4 === 0 ? `Title ${seed} 标题` : null,
    password: seed % 10 === 2 ? oneOf(random, PASSWORDS) : null,
  }
  return sealCopy(contents, random)
}
