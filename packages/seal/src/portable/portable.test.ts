import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Bytes } from '../core/bytes.ts'
import { concat, toBase64url, utf8 } from '../core/bytes.ts'
import { filled, plainOf } from '../testing/stored.ts'
import {
  formatPortableFacts,
  openPortable,
  parsePortableFacts,
  PORTABLE_FACTS_NAME,
  PORTABLE_MANIFEST_NAME,
  type PortableFacts,
  type PortableFile,
} from './portable.ts'
import { placeZipEntries, zipDirectory, zipEntryHeader } from './zip-writing.ts'
import { openZip } from './zip.ts'

const FACTS: PortableFacts = {
  id: '00112233-4455-6677-8899-aabbccddeeff',
  revision: 3,
  salts: { salt: toBase64url(filled(16, 0xa0)), kdf: null },
  objects: [{ n: 7, file: '7.dls', stored: 700 }],
}

const fileOf = (bytes: Bytes): PortableFile => ({
  size: bytes.length,
  read: async (offset, length) => bytes.slice(offset, offset + length),
})

type Files = readonly (readonly [name: string, bytes: Bytes])[]

function zipOf(files: Files): Bytes {
  const { placed, end } = placeZipEntries(files.map(([name, bytes]) => ({ name, size: bytes.length })))
  const entries = placed.map((entry, at) => ({ ...entry, crc32: crc32(files[at]?.[1] ?? new Uint8Array()) }))
  const bodies = entries.flatMap((entry, at) => [
    zipEntryHeader(entry, entry.crc32),
    files[at]?.[1] ?? new Uint8Array(),
  ])
  return concat(...bodies, zipDirectory(entries, end))
}

const COPY: Files = [
  [PORTABLE_FACTS_NAME, utf8(formatPortableFacts(FACTS))],
  [PORTABLE_MANIFEST_NAME, plainOf(540)],
  ['7.dls', plainOf(700)],
]
const signal = new AbortController().signal

describe('portable copies', () => {
  test('an archive returns facts, manifest and ranges of objects, also if the files are in a folder', async () => {
    for (const folder of ['', 'copy/']) {
      const zip = zipOf(COPY.map(([name, bytes]) => [`${folder}${name}`, bytes] as const))
      const copy = await openPortable(await openZip(fileOf(zip)))
      expect(copy).toMatchObject(FACTS)
      expect(copy.sealedManifest).toEqual(plainOf(540))
      expect(await copy.readRangeOf(7)({ firstByte: 5, endByte: 9, signal })).toEqual({
        bytes: plainOf(700).slice(5, 9),
        objectBytes: 700,
      })
      await expect(copy.readRangeOf(8)({ firstByte: 0, endByte: 1, signal })).rejects.toMatchObject({
        code: 'copy.incomplete',
        file: '8.dls',
      })
    }
  })

  test('an archive of more than 4 GiB is read at its 64-bit offsets', async () => {
    const size = 5 * 2 ** 30
    const entries = [
      { name: '0.dls', size },
      { name: PORTABLE_FACTS_NAME, size: 3 },
    ]
    const { placed, end } = placeZipEntries(entries)
    const pieces = [
      ...placed.map((entry) => ({ at: entry.first, bytes: zipEntryHeader(entry, 0) })),
      { at: placed[1]?.start ?? 0, bytes: utf8('abc') },
      {
        at: end,
        bytes: zipDirectory(
          placed.map((entry) => ({ ...entry, crc32: 0 })),
          end,
        ),
      },
    ]
    const total = end + (pieces.at(-1)?.bytes.length ?? 0)
    const files = await openZip({
      size: total,
      async read(offset, length) {
        const out = new Uint8Array(length)
        for (const { at, bytes } of pieces)
          for (const [index, byte] of bytes.entries()) {
            const place = at + index - offset
            if (place >= 0 && place < length) out[place] = byte
          }
        return out
      },
    })
    expect((await files.find('0.dls'))?.size).toBe(size)
    expect(await (await files.find(PORTABLE_FACTS_NAME))?.read(0, 3)).toEqual(utf8('abc'))
  })

  test('a missing or truncated file is reported', async () => {
    const without = (name: string) => zipOf(COPY.filter(([other]) => other !== name))
    for (const name of [PORTABLE_FACTS_NAME, PORTABLE_MANIFEST_NAME])
      await expect(openZip(fileOf(without(name))).then(openPortable)).rejects.toMatchObject({
        code: 'copy.incomplete',
        file: name,
      })
    const zip = zipOf(COPY)
    for (const bytes of [new Uint8Array(), zip.slice(0, -1), zip.slice(9), plainOf(100)])
      await expect(openZip(fileOf(bytes)).then(openPortable)).rejects.toMatchObject({
        code: 'copy.malformed',
      })
  })

  test('an entry that leads behind the end of the archive is reported', async () => {
    const entries = [{ name: PORTABLE_FACTS_NAME, size: 0, first: 0, start: 0, crc32: 0 }]
    for (const first of [5, 1000, 2 ** 40]) {
      const directory = zipDirectory(
        entries.map((entry) => ({ ...entry, first })),
        0,
      )
      const files = await openZip(fileOf(directory))
      await expect(files.find(PORTABLE_FACTS_NAME)).rejects.toMatchObject({ code: 'copy.malformed' })
    }
  })

  test('an object that could not be opened is opened again for the next range', async () => {
    const files = await openZip(fileOf(zipOf(COPY)))
    let failures = 1
    const copy = await openPortable({
      async find(name) {
        if (name === '7.dls' && failures-- > 0) throw new Error('The disk was not ready.')
        return files.find(name)
      },
    })
    const read = copy.readRangeOf(7)
    await expect(read({ firstByte: 5, endByte: 9, signal })).rejects.toThrow('not ready')
    expect((await read({ firstByte: 5, endByte: 9, signal })).bytes).toEqual(plainOf(700).slice(5, 9))
  })

  test.each([
    ['not JSON', '{', 'copy.malformed'],
    ['another format', JSON.stringify({ format: 'zip' }), 'copy.malformed'],
    ['a newer version', formatPortableFacts(FACTS).replace('"v":1', '"v":2'), 'copy.version'],
    ['a path', formatPortableFacts(FACTS).replace('7.dls', '../7.dls'), 'copy.malformed'],
    ['a hidden path', formatPortableFacts(FACTS).replace('7.dls', '..'), 'copy.malformed'],
    ['a wrong salt', formatPortableFacts(FACTS).replace(FACTS.salts.salt, 'AAAA'), 'share.malformed'],
    ['a costly password', formatPortableFacts(FACTS).replace('"kdf":null', '"kdf":{}'), 'kdf.refused'],
  ])('facts with %s are refused', (_, text, code) => {
    expect(() => parsePortableFacts(text)).toThrow(expect.objectContaining({ code }))
  })
})
