import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { onDisk } from './disk.ts'
import { usageError } from './errors.ts'
import { beginningOf, NAME_MAX_BYTES } from './names.ts'

/** Bytes of one content, which nothing else has. */
export interface Version {
  /** Server and share. */
  readonly source: string
  /** As it came; empty where there is none. */
  readonly etag: string
  readonly sizeBytes: number
}

const TAG_LETTERS = 10

/**
 * Where a version gathers, beside its target. Its name is that of the version: whoever finds bytes there, of whichever process, has
 * the bytes of that version. What cannot be told from another one has a name of its own each time.
 */
export function partFileOf(target: string, { source, etag, sizeBytes }: Version): string {
  const known = etag === '' ? randomUUID() : JSON.stringify([source, etag, sizeBytes])
  const tag = createHash('sha256').update(known).digest('hex').slice(0, TAG_LETTERS)
  const ending = `.${tag}.part`
  return join(dirname(target), beginningOf(basename(target), NAME_MAX_BYTES - ending.length) + ending)
}

export const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0

/** Starts anew: who still writes to what was there does so where nobody looks. */
export const discardPart = (part: string): Promise<void> => onDisk(part, rm(part, { force: true }))

/** What is there stays as it is. @throws {CliError} when it is no regular file */
export async function openPart(part: string): Promise<FileHandle> {
  // Not there on Windows.
  const noFollow = constants.O_NOFOLLOW ?? 0
  const file = await open(part, constants.O_RDWR | constants.O_CREAT | noFollow, 0o666)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw usageError('file.special', { file: part })
}

/** Writes all of a chunk at its place. */
export async function writeAt(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let written = 0; written < chunk.length;)
    written += (await file.write(chunk, written, chunk.length - written, position + written)).bytesWritten
}
