import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { onDisk } from '../disk.ts'
import { usageError } from '../errors.ts'
import { beginningOf, NAME_MAX_BYTES } from '../names.ts'

/** Identifies one version of a file's bytes. */
export interface Version {
  /** The server and the share, joined to one text. */
  readonly source: string
  /** The etag as received; empty if the server sent no etag. */
  readonly etag: string
  readonly sizeBytes: number
}

const TAG_LETTERS = 10

/**
 * Returns the path of the part file, which is beside the target. Its name is derived from the version, so its bytes
 * belong to this version, whichever process has written them. A version without an etag gets a new name each time.
 */
export function partFileOf(target: string, { source, etag, sizeBytes }: Version): string {
  const known = etag === '' ? randomUUID() : JSON.stringify([source, etag, sizeBytes])
  const tag = createHash('sha256').update(known).digest('hex').slice(0, TAG_LETTERS)
  const ending = `.${tag}.part`
  return join(dirname(target), beginningOf(basename(target), NAME_MAX_BYTES - ending.length) + ending)
}

export const sizeOf = async (path: string): Promise<number> => (await stat(path).catch(() => null))?.size ?? 0

/**
 * Deletes the part file, so that the download starts from zero. A process that still writes to the deleted file
 * causes no harm.
 */
export const discardPart = (part: string): Promise<void> => onDisk(part, rm(part, { force: true }))

/** Opens the part file with its content, or creates it. @throws {CliError} if it is not a regular file */
export async function openPart(part: string): Promise<FileHandle> {
  // `O_NOFOLLOW` is undefined on Windows.
  const noFollow = constants.O_NOFOLLOW ?? 0
  const file = await open(part, constants.O_RDWR | constants.O_CREAT | noFollow, 0o666)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw usageError('file.special', { file: part })
}

/** Writes the whole chunk at its position. */
export async function writeAt(file: FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let written = 0; written < chunk.length;)
    written += (await file.write(chunk, written, chunk.length - written, position + written)).bytesWritten
}
