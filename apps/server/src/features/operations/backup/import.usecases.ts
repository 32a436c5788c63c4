import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { backupErrors, type BackupHeader, type BackupImport, LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import type { Needs, PlaceNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { constantTimeEqual, type Secrets } from '../../../lib/secrets.ts'
import { forgetCached } from '../../../storage/cache-notices.ts'
import type { AdminActor } from '../../foundation/identity/actor.models.ts'
import { holdImported } from '../../foundation/restored/restored.usecases.ts'
import { distrustIndex } from '../../foundation/object-index/index-status.usecases.ts'
import { SETTING_KEYS } from '../../foundation/settings/settings.usecases.ts'
import { linesOf } from './backup-lines.models.ts'
import { type BackupEntry, parseEnd, parseEntry, parseHeader, secretsOfHeader } from './backup.models.ts'
import { backupRepository } from './backup.repository.ts'
import { Intake } from './intake.usecases.ts'

const FILE_MAX_BYTES = 64 * 1024 ** 3

export interface ImportOrder {
  readonly source: Readable
  readonly passphrase: string | null
  readonly mode: 'merge' | 'replace'
  /** Whether the user has confirmed that existing data is deleted. */
  readonly isConfirmed: boolean
  readonly actor: AdminActor
  /** Called after the whole file was checked. @throws {AppError} if the sender is no longer allowed to import */
  readonly requireMay: () => Promise<void>
}

interface OpenBackup {
  readonly header: BackupHeader
  readonly opener: Secrets | null
}

/**
 * Disk space needed for a row, relative to the length of its line. The space includes indexes and the database's log.
 */
const ROOM_FACTOR = 4

/** Stores the file on disk, because it is read more than once and a slow sender must not hold a transaction open. */
async function storeTemporarily(
  ctx: Needs<'config' | 'room'>,
  source: Readable,
): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = join(ctx.config.dataDir, 'spool')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const remove = () => rm(path, { force: true })
  let bytes = 0
  async function* limited(chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > FILE_MAX_BYTES) throw new AppError(backupErrors.too_large)
      await ctx.room.take(chunk.length * ROOM_FACTOR)
      yield chunk
    }
  }
  try {
    await pipeline(source, limited, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  } catch (error) {
    await remove()
    throw error
  }
  return { path, [Symbol.asyncDispose]: remove }
}

async function* linesOfFile(path: string): AsyncGenerator<string> {
  try {
    yield* linesOf(createReadStream(path))
  } catch (error) {
    if (error instanceof RangeError) throw new AppError(backupErrors.not_a_backup, { cause: error })
    throw error
  }
}

/** Reads the whole file once, so that an incomplete file is never imported. @throws {AppError} a `backup` error */
async function examine(path: string, passphrase: string | null): Promise<OpenBackup> {
  const hash = createHash('sha256')
  let open: OpenBackup | undefined
  let isWhole = false
  let lines = 0
  for await (const line of linesOfFile(path)) {
    if (isWhole) throw new AppError(backupErrors.broken_off)
    if (!open) {
      const header = parseHeader(line)
      open = { header, opener: await secretsOfHeader(header, passphrase) }
    } else {
      const end = parseEnd(line)
      if (end) {
        const digest = hash.copy().digest('hex')
        const isSigned = !open.opener || constantTimeEqual(open.opener.sign(digest), end.signature ?? '')
        if (end.lines !== lines || end.digest !== digest || !isSigned)
          throw new AppError(backupErrors.broken_off)
        isWhole = true
        continue
      }
    }
    if (lines > 0) checkEntry(line, lines + 1, open)
    hash.update(line).update('\n')
    lines += 1
  }
  if (!open) throw new AppError(backupErrors.not_a_backup)
  if (!isWhole) throw new AppError(backupErrors.broken_off)
  return open
}

/** Validates a line. An incomplete line means that the file is truncated. */
function checkEntry(line: string, lineNumber: number, { opener }: OpenBackup): void {
  const isPart = !line.endsWith('}')
  if (isPart) throw new AppError(backupErrors.broken_off)
  parseEntry(line, lineNumber, opener)
}

async function* entriesOf(path: string, opener: Secrets | null): AsyncGenerator<BackupEntry> {
  let lineNumber = 0
  for await (const line of linesOfFile(path)) {
    lineNumber += 1
    if (lineNumber > 1 && !parseEnd(line)) yield parseEntry(line, lineNumber, opener)
  }
}

/** Whether there are no shares, no API keys, and no storages except local disks. */
async function isEmpty(ctx: Needs<'db'>): Promise<boolean> {
  const repository = backupRepository(ctx.db)
  for (const kind of ['paste', 'file', 'bundle', 'api_key'] as const)
    if ((await repository.count(kind)) > 0) return false
  return (await repository.configs()).every((config) => config.provider_type === LOCAL_DISK_PROVIDER)
}

/**
 * Imports a backup in one transaction. Existing data stays (`merge`) or is deleted (`replace`). Administrators and
 * objects always stay.
 * @throws {AppError} a `backup` error, or the error of `requireMay`
 * @throws {StorageError} `storage.full`
 */
export async function importBackup(
  ctx: PlaceNeeds & Needs<'caches' | 'config' | 'database' | 'log' | 'notices' | 'room'>,
  { source, passphrase, mode, isConfirmed, actor, requireMay }: ImportOrder,
): Promise<BackupImport> {
  await using file = await storeTemporarily(ctx, source)
  const { header, opener } = await examine(file.path, passphrase)
  if (mode === 'replace' && !isConfirmed && !(await isEmpty(ctx))) throw new AppError(backupErrors.conflict)
  await requireMay()
  const { result, configIds } = await ctx.database.transaction(async (trx) => {
    if (mode === 'replace') await backupRepository(trx).deleteAll(SETTING_KEYS)
    const intake = await Intake.begin(ctx, trx, { createdAt: header.created_at, actor })
    for await (const entry of entriesOf(file.path, opener)) await intake.take(entry)
    const taken = await intake.finish()
    const { configIds } = taken
    await holdImported(trx, { configIds, savedAt: header.created_at, nowMs: ctx.clock.nowMs() })
    return taken
  })
  await forgetCached(ctx.notices, null)
  for (const id of configIds) await distrustIndex(ctx, id)
  return result
}
