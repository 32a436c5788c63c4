import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPortable, openZip } from '@dropleaf/seal'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Run } from '../run.ts'
import { type CopyToSave, saveCopy } from './save-copy.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dropleaf-copy-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const runIn = (): Run => ({
  environment: {
    variables: { XDG_STATE_HOME: join(folder, 'state') },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    folder,
  },
  language: 'en',
  options: { output: 'copy.zip' },
  names: [],
  print: () => undefined,
  note: () => undefined,
})

const OBJECT_BYTES = 50

/** Returns contents whose two objects consist of one letter. All contents have the same bundle and revision. */
function copyOf(letter: string, { fails = false } = {}): CopyToSave {
  const bytes = new Uint8Array(OBJECT_BYTES).fill(letter.charCodeAt(0))
  const objects = [0, 1].map((n) => ({
    n,
    dek: '',
    size: OBJECT_BYTES,
    stored: OBJECT_BYTES,
    k: 1,
    salts: '',
  }))
  return {
    seal: {
      bundleId: '00112233-4455-6677-8899-aabbccddeeff',
      revision: 3,
      manifest: { v: 1, objects, items: [] },
      slug: 'trip',
      readRangeOf:
        (n) =>
        async ({ firstByte, endByte }) => {
          if (fails && n === 1) throw new Error('The connection broke.')
          return { bytes: bytes.slice(firstByte, endByte), objectBytes: OBJECT_BYTES }
        },
    },
    salts: { salt: 'AAAAAAAAAAAAAAAAAAAAAA', kdf: null },
    sealedManifest: new Uint8Array(200).fill(letter.charCodeAt(0)),
  }
}

async function savedObjects(): Promise<string[]> {
  const archive = await readFile(join(folder, 'copy.zip'))
  const copy = await openPortable(
    await openZip({
      size: archive.length,
      read: async (offset, length) => new Uint8Array(archive.subarray(offset, offset + length)),
    }),
  )
  const { signal } = new AbortController()
  const read = async (n: number) => (await copy.readRangeOf(n)({ firstByte: 0, endByte: 1, signal })).bytes
  return [await read(0), await read(1)].map((bytes) => Buffer.from(bytes).toString())
}

test('an interrupted copy resumes with the same contents, and never with others of the same revision', async () => {
  await expect(saveCopy(runIn(), copyOf('a', { fails: true }))).rejects.toThrow('broke')
  await saveCopy(runIn(), copyOf('b'))
  expect(await savedObjects()).toEqual(['b', 'b'])
  await rm(join(folder, 'copy.zip'))
  const asked: number[] = []
  const resumed = copyOf('a')
  const { readRangeOf } = resumed.seal
  const seal = {
    ...resumed.seal,
    readRangeOf: (n: number) => (range: Parameters<ReturnType<typeof readRangeOf>>[0]) => {
      asked.push(n)
      return readRangeOf(n)(range)
    },
  }
  await saveCopy(runIn(), { ...resumed, seal })
  expect([asked, await savedObjects()]).toEqual([[1], ['a', 'a']])
  expect((await readdir(folder)).toSorted()).toEqual(['copy.zip', 'state'])
})
