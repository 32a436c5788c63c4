import { createHash } from 'node:crypto'
import { type FileHandle, rename } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import {
  formatPortableFacts,
  type PlacedEntry,
  placeZipEntries,
  PORTABLE_FACTS_NAME,
  PORTABLE_MANIFEST_NAME,
  portableObjectName,
  SealError,
  type ShareSalts,
  zipDirectory,
  zipEntryHeader,
} from '@dropleaf/seal'
import { onDisk } from '../disk.ts'
import { createProgress, type Progress } from '../progress.ts'
import { printJson, type Run } from '../run.ts'
import { withTarget } from '../targets/target-lock.ts'
import { openPart, partFileOf, writeAt } from '../targets/part-file.ts'
import { placeOf, requireFree } from '../targets/targets.ts'
import type { OpenedSeal } from './opened.ts'
import { withSealWords } from './words.ts'

/** Number of bytes that one request reads. */
const CHUNK_BYTES = 8 * 1024 * 1024

export interface CopyToSave {
  readonly seal: OpenedSeal
  readonly salts: ShareSalts
  readonly sealedManifest: Uint8Array
}

interface Writing {
  readonly file: FileHandle
  readonly part: string
  readonly progress: Progress
  readonly totalBytes: number
}

type ReadChunk = (firstByte: number, endByte: number) => Promise<Uint8Array>

interface EntryToWrite {
  readonly entry: PlacedEntry
  readonly read: ReadChunk
}

/** Returns the archive's entries, each with a function that reads its ranges. */
function readersOf({ seal, salts, sealedManifest }: CopyToSave) {
  const { bundleId: id, revision, manifest, readRangeOf } = seal
  const objects = manifest.objects.map(({ n, stored }) => ({ n, file: portableObjectName(n), stored }))
  const facts = Buffer.from(formatPortableFacts({ id, revision, salts, objects }))
  const { signal } = new AbortController()
  const inMemory =
    (bytes: Uint8Array): ReadChunk =>
    async (first, end) =>
      bytes.subarray(first, end)
  return [
    { name: PORTABLE_FACTS_NAME, size: facts.length, read: inMemory(facts) },
    { name: PORTABLE_MANIFEST_NAME, size: sealedManifest.length, read: inMemory(sealedManifest) },
    ...objects.map(({ n, file, stored }) => {
      const readRange = readRangeOf(n)
      const read: ReadChunk = async (firstByte, endByte) => {
        const { bytes, objectBytes } = await readRange({ firstByte, endByte, signal })
        const isOther = objectBytes !== null && objectBytes !== stored
        if (isOther || bytes.length !== endByte - firstByte) throw new SealError('object.size')
        return bytes
      }
      return { name: file, size: stored, read }
    }),
  ]
}

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

/** Writes an entry. Skips the bytes that an earlier attempt has written. @returns its checksum */
async function writeEntry(
  { file, part, progress, totalBytes }: Writing,
  { entry: { name, size, start, first }, read }: EntryToWrite,
  presentBytes: number,
): Promise<number> {
  let checksum = 0
  const here: ReadChunk = async (from, end) => {
    const bytes = Buffer.alloc(end - from)
    await onDisk(part, file.read(bytes, 0, bytes.length, start + from))
    return bytes
  }
  for (let at = 0; at < size;) {
    const isPresent = at < presentBytes
    const end = Math.min(size, at + CHUNK_BYTES, isPresent ? presentBytes : size)
    const bytes = await (isPresent ? here : read)(at, end)
    checksum = crc32(bytes, checksum)
    if (!isPresent) await onDisk(part, writeAt(file, bufferOf(bytes), start + at))
    at = end
    progress.show({ doneBytes: start + at, totalBytes })
  }
  await onDisk(part, writeAt(file, bufferOf(zipEntryHeader({ name, size }, checksum)), first))
  return checksum
}

async function writeCopy(copy: CopyToSave, { part, progress }: Pick<Writing, 'part' | 'progress'>) {
  const contents = readersOf(copy)
  const { placed, end } = placeZipEntries(contents)
  const file = await onDisk(part, openPart(part))
  try {
    const { size } = await file.stat()
    const written: (PlacedEntry & { readonly crc32: number })[] = []
    for (const [at, entry] of placed.entries()) {
      const isObject = at >= 2
      const presentBytes = isObject ? Math.max(0, Math.min(entry.size, size - entry.start)) : 0
      const read = contents[at]?.read ?? (async () => new Uint8Array())
      const writing = { file, part, progress, totalBytes: end }
      written.push({ ...entry, crc32: await writeEntry(writing, { entry, read }, presentBytes) })
    }
    const directory = bufferOf(zipDirectory(written, end))
    await onDisk(part, writeAt(file, directory, end))
    await onDisk(part, file.truncate(end + directory.length))
  } finally {
    await onDisk(part, file.close())
  }
}

/**
 * Saves the encrypted bytes of a sealed bundle in one archive, which can be opened without the server. A repeated
 * command resumes.
 * @throws {CliError}
 */
export async function saveCopy(run: Run, copy: CopyToSave): Promise<void> {
  const { slug, bundleId } = copy.seal
  const target = await placeOf(run, `${slug}.dropleaf.zip`)
  await withTarget(run.environment, target, async () => {
    await requireFree(run, target)
    // A revision number does not identify the contents, but the encrypted manifest contains the salts of all objects.
    const etag = `manifest ${createHash('sha256').update(copy.sealedManifest).digest('hex')}`
    const part = partFileOf(target, { source: `sealed ${bundleId}`, etag, sizeBytes: 0 })
    const progress = createProgress(run.environment, slug)
    try {
      await withSealWords(slug, writeCopy(copy, { part, progress }))
    } finally {
      progress.end()
    }
    await requireFree(run, target)
    await onDisk(target, rename(part, target))
  })
  if (run.options.json) printJson(run, { file: target })
  else run.print(target)
}
