import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileErrors } from '@dropleaf/contract'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { limitBytes } from '../../../../lib/bodies/relay-body.ts'
import { formatBytes } from '../../../../lib/sizes.ts'
import { maxUploadBytes } from '../../../foundation/settings/settings.usecases.ts'
import { isTooLarge } from '../../../foundation/storage-usage/storage-usage.usecases.ts'

/** The modes are restrictive, because other users might have access to the data folder. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

const folderOf = (ctx: Needs<'config'>) => join(ctx.config.dataDir, 'spool')

export interface SpooledFile extends AsyncDisposable {
  readonly path: string
  readonly sizeBytes: number
  /** Returns a stream of all bytes. */
  read(): Readable
}

/**
 * Stores bytes in a temporary file, for example if a form sends the path after the file. Disposing deletes the file.
 * @throws {AppError} `file.too_large`
 */
export async function spool(ctx: Needs<'config' | 'db'>, source: Readable): Promise<SpooledFile> {
  const folder = folderOf(ctx)
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  const path = join(folder, randomUUID())
  const remove = () => rm(path, { force: true })
  const limit = await maxUploadBytes(ctx)
  const target = createWriteStream(path, { flags: 'wx', mode: FILE_MODE })
  try {
    await pipeline(limitBytes(source, limit), target)
  } catch (error) {
    await remove()
    if (!isTooLarge(error)) throw error
    throw new AppError(fileErrors.too_large, { params: { limit: formatBytes(limit) }, cause: error })
  }
  return {
    path,
    sizeBytes: target.bytesWritten,
    read: () => createReadStream(path),
    [Symbol.asyncDispose]: remove,
  }
}

/** Deletes temporary files that a killed process left behind. Call only if no other process uses the folder. */
export const clearSpool = (ctx: Needs<'config'>): Promise<void> =>
  rm(folderOf(ctx), { recursive: true, force: true })

/** Age in milliseconds from which a temporary file is certainly no longer in use. */
const ABANDONED_MS = 24 * 3_600_000

/** Deletes temporary files that are at least a day old. Safe while other processes use the folder. */
export async function sweepSpool(ctx: Needs<'config'>): Promise<void> {
  const folder = folderOf(ctx)
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // Deletes only abandoned files, since the request that uses a file deletes the file itself.
    const facts = await stat(path).catch(() => null)
    if (facts && Date.now() - facts.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
  }
}
