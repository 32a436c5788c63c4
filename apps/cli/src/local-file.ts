import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { CliError, EXIT } from './errors.ts'

/** A file to upload. */
export interface LocalFile {
  /** Path as the user typed it. */
  readonly shown: string
  readonly path: string
  readonly name: string
  readonly sizeBytes: number
  /** Whether the file has content although its size is 0, as files in /proc do. */
  readonly isUnsized: boolean
  readonly modifiedAtMs: number
}

export function unreadable(shown: string, cause: unknown): CliError {
  const { code, message } = cause as NodeJS.ErrnoException
  if (code === 'ENOENT')
    return new CliError({ exitCode: EXIT.failed, text: 'file.missing', params: { file: shown }, cause })
  if (code === 'EISDIR')
    return new CliError({ exitCode: EXIT.failed, text: 'file.folder', params: { file: shown }, cause })
  const params = { file: shown, detail: code ?? message }
  return new CliError({ exitCode: EXIT.failed, text: 'file.unreadable', params, cause })
}

async function hasBytes(path: string): Promise<boolean> {
  await using file = await open(path)
  return (await file.read(Buffer.alloc(1), 0, 1, 0)).bytesRead > 0
}

/** @throws {CliError} if the path is not a file that can be sent */
export async function lookAtFile(folder: string, shown: string): Promise<LocalFile> {
  const path = resolve(folder, shown)
  const found = await stat(path).catch((error: unknown) => {
    throw unreadable(shown, error)
  })
  if (found.isDirectory())
    throw new CliError({ exitCode: EXIT.failed, text: 'file.folder', params: { file: shown } })
  // A pipe has no size, and reading it could block forever.
  if (!found.isFile())
    throw new CliError({ exitCode: EXIT.failed, text: 'file.not_regular', params: { file: shown } })
  const isUnsized =
    found.size === 0 &&
    (await hasBytes(path).catch((error: unknown) => {
      throw unreadable(shown, error)
    }))
  return {
    shown,
    isUnsized,
    path,
    name: basename(path),
    sizeBytes: found.size,
    modifiedAtMs: Math.trunc(found.mtimeMs),
  }
}

/** Whether the file is unchanged since it was examined. Parts of different versions would make an invalid file. */
async function isUnchanged(file: LocalFile): Promise<boolean> {
  const now = await stat(file.path).catch(() => null)
  return now?.size === file.sizeBytes && Math.trunc(now.mtimeMs) === file.modifiedAtMs
}

export const fileChanged = ({ shown }: LocalFile): CliError =>
  new CliError({ exitCode: EXIT.failed, text: 'file.changed', params: { file: shown } })

/** @throws {CliError} if the file has changed since it was examined */
export async function requireUnchanged(file: LocalFile): Promise<void> {
  if (!(await isUnchanged(file))) throw fileChanged(file)
}

/** Reads all bytes of a range. @throws {CliError} if the file cannot be read, or has become shorter */
async function* reading(file: LocalFile, { firstByte, endByte }: ByteRange): AsyncGenerator<Buffer> {
  let leftBytes = endByte - firstByte
  try {
    if (leftBytes > 0)
      for await (const chunk of createReadStream(file.path, { start: firstByte, end: endByte - 1 })) {
        leftBytes -= (chunk as Buffer).length
        yield chunk as Buffer
      }
  } catch (error) {
    throw unreadable(file.shown, error)
  }
  // Without an error, the receiver would wait forever for the announced bytes.
  if (leftBytes > 0 && Number.isFinite(leftBytes)) throw fileChanged(file)
}

interface ByteRange {
  readonly firstByte: number
  /** Position after the last byte. */
  readonly endByte: number
}

/** Request body with a file or a range of its bytes. Read errors are `CliError`s. */
export const bodyOf = (
  file: LocalFile,
  range: ByteRange = { firstByte: 0, endByte: file.isUnsized ? Infinity : file.sizeBytes },
): Readable => Readable.from(reading(file, range), { objectMode: false })
