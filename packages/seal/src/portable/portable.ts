import { BUNDLE_MANIFEST_MAX_BYTES, BUNDLE_OBJECTS_MAX } from '@dropleaf/contract'
import * as z from 'zod/mini'
import { type Bytes } from '../core/bytes.ts'
import { once } from '../core/once.ts'
import { parseShareSalts, type ShareSalts } from '../keys/share.ts'
import type { ReadRange } from '../reading/segments.ts'

/** A portable copy is a sealed bundle as files. It opens without a server. */

export const PORTABLE_FACTS_NAME = 'dropleaf.json'
export const PORTABLE_MANIFEST_NAME = 'manifest.bin'
/** Name of the file with an object. */
export const portableObjectName = (n: number): string => `${n}.dls`

const FORMAT = 'dropleaf-portable'
const VERSION = 1
const FACTS_MAX_BYTES = 4 * 1024 * 1024
const REVISION_MAX = 2 ** 32 - 1

const factsSchema = z.object({
  format: z.literal(FORMAT),
  v: z.int(),
  id: z.string(),
  revision: z.int().check(z.minimum(1), z.maximum(REVISION_MAX)),
  salt: z.string(),
  kdf: z.nullable(z.unknown()),
  objects: z
    .array(
      z.object({
        n: z.int().check(z.minimum(0), z.maximum(BUNDLE_OBJECTS_MAX - 1)),
        /** A name without a folder, so that a copy cannot refer to files outside of the copy. */
        file: z.string().check(z.regex(/^[\w-][\w.-]{0,99}$/)),
        stored: z.int().check(z.minimum(0)),
      }),
    )
    .check(z.maxLength(BUNDLE_OBJECTS_MAX)),
})

export interface PortableFacts {
  readonly id: string
  readonly revision: number
  readonly salts: ShareSalts
  readonly objects: readonly { readonly n: number; readonly file: string; readonly stored: number }[]
}

/** Why a portable copy cannot be read. */
export class PortableError extends Error {
  override readonly name = 'PortableError'
  readonly code: 'copy.malformed' | 'copy.version' | 'copy.incomplete'
  /** Name of the missing file for `copy.incomplete`; otherwise empty. */
  readonly file: string

  constructor(code: PortableError['code'], { file = '', cause }: { file?: string; cause?: unknown } = {}) {
    super([code, file].join(' ').trim(), { cause })
    this.code = code
    this.file = file
  }
}

/** A file of a portable copy. */
export interface PortableFile {
  readonly size: number
  /** Returns exactly `length` bytes of the file, from `offset`. */
  read(offset: number, length: number): Promise<Bytes>
}

/** A folder or an archive with the files of a portable copy. */
export interface PortableFiles {
  /** Returns the file with this name; `null` if there is none. */
  find(name: string): Promise<PortableFile | null>
}

export interface PortableCopy extends PortableFacts {
  readonly sealedManifest: Bytes
  /** @throws {PortableError} `copy.incomplete` when an absent object is read */
  readRangeOf(n: number): ReadRange
}

/** Formats the metadata of a portable copy. */
export const formatPortableFacts = ({ id, revision, salts, objects }: PortableFacts): string =>
  JSON.stringify({ format: FORMAT, v: VERSION, id, revision, ...salts, objects })

/**
 * Checks the metadata of a portable copy.
 * @throws {PortableError} `copy.malformed` or `copy.version`
 * @throws {SealError} `share.malformed` or `kdf.refused`
 */
export function parsePortableFacts(text: string): PortableFacts {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new PortableError('copy.malformed', { cause })
  }
  const { success, data, error } = factsSchema.safeParse(value)
  if (!success) throw new PortableError('copy.malformed', { cause: error })
  if (data.v !== VERSION) throw new PortableError(data.v > VERSION ? 'copy.version' : 'copy.malformed')
  const { id, revision, salt, kdf, objects } = data
  return { id, revision, salts: parseShareSalts({ salt, kdf }), objects }
}

async function readWhole(files: PortableFiles, name: string, maxBytes: number): Promise<Bytes> {
  const file = await files.find(name)
  if (file === null) throw new PortableError('copy.incomplete', { file: name })
  if (file.size > maxBytes) throw new PortableError('copy.malformed')
  return file.read(0, file.size)
}

/**
 * Opens a portable copy. Its manifest and objects are still encrypted.
 * @throws {PortableError}
 * @throws {SealError} `share.malformed` or `kdf.refused`
 */
export async function openPortable(files: PortableFiles): Promise<PortableCopy> {
  const facts = parsePortableFacts(
    new TextDecoder().decode(await readWhole(files, PORTABLE_FACTS_NAME, FACTS_MAX_BYTES)),
  )
  const sealedManifest = await readWhole(files, PORTABLE_MANIFEST_NAME, BUNDLE_MANIFEST_MAX_BYTES)
  const names = new Map(facts.objects.map(({ n, file }) => [n, file]))
  return {
    ...facts,
    sealedManifest,
    readRangeOf: (n) => {
      const name = names.get(n) ?? portableObjectName(n)
      const found = once(() => files.find(name))
      return async ({ firstByte, endByte }) => {
        const file = await found()
        if (file === null) throw new PortableError('copy.incomplete', { file: name })
        const end = Math.min(endByte, file.size)
        const bytes = end > firstByte ? await file.read(firstByte, end - firstByte) : new Uint8Array()
        return { bytes, objectBytes: file.size }
      }
    },
  }
}
