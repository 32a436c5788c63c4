import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { fileErrors } from '@dropleaf/contract'
import type { AppContext } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { limitBytes } from '../../../../lib/bodies/relay-body.ts'
import { formatBytes } from '../../../../lib/sizes.ts'
import { maxUploadBytes } from '../../../foundation/settings/settings.usecases.ts'
import { isTooLarge } from '../../../foundation/storage-usage/storage-usage.usecases.ts'

/** An existing data folder may be readable by other users. */
const FOLDER_MODE = 0o700
const FILE_MODE = 0o600

const folderOf = (ctx: AppContext) => join(ctx.config.dataDir, 'spool')

export interface SpooledFile extends AsyncDisposable {
  readonly path: string
  readonly sizeBytes: number
  /** The bytes, from the start. */
  read(): Readable
}

/**
 * Stores bytes temporarily on the disk: a form may name the folder after its file, and another process reads images. Disposing
 * deletes them.
 * @throws {AppError} `file.too_large`
 */
export async function spool(ctx: AppContext, source: Readable): Promise<SpooledFile> {
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

/** Deletes leftovers of a killed process; only if no other process writes there. */
export const clearSpool = (ctx: AppContext): Promise<void> =>
  rm(folderOf(ctx), { recursive: true, force: true })

/** After this time no process uses a spooled file any more. */
const ABANDONED_MS = 24 * 3_600_000

/** Deletes leftovers that are at least a day old, while other processes may be writing. */
export async function sweepSpool(ctx: AppContext): Promise<void> {
  const folder = folderOf(ctx)
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // A file in use deletes itself at its end.
    const facts = await stat(path).catch(() => null)
    if (facts && Date.now() - facts.mtimeMs > ABANDONED_MS) await rm(path, { force: true })
  }
}
