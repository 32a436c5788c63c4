import { storageErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { isForeignKeyViolation, isUniqueViolation, violatedConstraint } from '../../../db/database.ts'
import { AppError } from '../../../lib/app-error.ts'
import { newId } from '../../../lib/ids.ts'
import type { Db } from '../../../schema.ts'
import { forgetCached } from '../../../storage/cache-notices.ts'
import { type CredentialField, credentialContext } from '../../../storage/drivers.ts'
import {
  type ConfigChange,
  type ConfigInput,
  fieldsAfter,
  fieldsOfInput,
  isLocalDisk,
} from './storage-configs.models.ts'
import { storageConfigsRepository } from './storage-configs.repository.ts'
import type { StorageConfigRow } from './storage-configs.table.ts'
import { getConfig } from './storage-configs.usecases.ts'

const DEFAULT_TRIES = 5

/** Runs a transaction, and retries it if a concurrent call changed the default storage. */
async function changingDefault<T>(ctx: Needs<'database'>, work: (trx: Db) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ctx.database.transaction(work)
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      if (violatedConstraint(error).includes('disk_folder'))
        throw new AppError(storageErrors.folder_taken, { cause: error })
      if (tries >= DEFAULT_TRIES) throw error
    }
  }
}

type Credentials = Pick<StorageConfigRow, 'access_key_id_sealed' | 'secret_access_key_sealed'>

/**
 * Encrypts the given credentials. Absent credentials are unchanged. @throws {AppError} `storage.credentials_missing`
 */
function sealCredentials(
  ctx: Needs<'secrets'>,
  config: { id: string; provider_type: string } & Credentials,
  given: { access_key_id: string | null; secret_access_key: string | null },
): Credentials {
  if (isLocalDisk(config)) return { access_key_id_sealed: null, secret_access_key_sealed: null }
  const sealed = (field: CredentialField) => {
    const plain = given[field]
    return plain === null
      ? config[`${field}_sealed`]
      : ctx.secrets.seal(plain, credentialContext(config.id, field))
  }
  const credentials = {
    access_key_id_sealed: sealed('access_key_id'),
    secret_access_key_sealed: sealed('secret_access_key'),
  }
  if (Object.values(credentials).includes(null)) throw new AppError(storageErrors.credentials_missing)
  return credentials
}

const NO_CREDENTIALS: Credentials = { access_key_id_sealed: null, secret_access_key_sealed: null }

/**
 * Adds a storage. The first storage becomes the default.
 * @throws {AppError} the errors of `settleFields`, `storage.credentials_missing`, `storage.folder_taken`
 */
export async function createConfig(
  ctx: Needs<'clock' | 'database' | 'secrets'>,
  input: ConfigInput,
): Promise<StorageConfigRow> {
  const id = newId()
  const nowMs = ctx.clock.nowMs()
  const fields = fieldsOfInput(input)
  const credentials = sealCredentials(ctx, { ...fields, ...NO_CREDENTIALS, id }, input)
  return changingDefault(ctx, async (trx) => {
    const repository = storageConfigsRepository(trx)
    await repository.insert({
      ...fields,
      ...credentials,
      id,
      is_default: 0,
      last_used_at_ms: null,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
    })
    await repository.ensureDefault()
    return (await repository.findById(id)) as StorageConfigRow
  })
}

/** Fields that determine which objects the storage contains. */
const PLACE = ['provider_type', 'endpoint_url', 'bucket_name', 'region'] as const
/** Fields that determine whether the objects are accessible. */
const ACCESS = ['access_key_id_sealed', 'secret_access_key_sealed', 'path_style'] as const

/**
 * Changes a storage; absent fields and credentials are unchanged. Clears cached signed URLs and cached listings.
 * @throws {AppError} `storage.not_found`, and the errors of {@link createConfig}
 */
export async function updateConfig(
  ctx: Needs<'clock' | 'database' | 'events' | 'notices' | 'secrets'>,
  id: string,
  change: ConfigChange,
): Promise<void> {
  const { isElsewhere, isOpenedAnew } = await changingDefault(ctx, async (trx) => {
    const repository = storageConfigsRepository(trx)
    const row = await repository.findById(id)
    if (!row) throw new AppError(storageErrors.not_found)
    const fields = fieldsAfter(row, change)
    const credentials = sealCredentials(ctx, { ...row, ...fields }, change)
    const updated_at_ms = Math.max(ctx.clock.nowMs(), row.updated_at_ms + 1)
    await repository.update(id, { ...fields, ...credentials, updated_at_ms })
    const after = { ...row, ...fields, ...credentials }
    return {
      isElsewhere: PLACE.some((field) => after[field] !== row[field]),
      isOpenedAnew: ACCESS.some((field) => after[field] !== row[field]),
    }
  })
  await forgetCached(ctx.notices, id)
  if (isElsewhere) await ctx.events.announce('storage_relocated', { configId: id })
  else if (isOpenedAnew) await ctx.events.announce('storage_reopened', { configId: id })
}

/** @throws {AppError} `storage.not_found` */
export async function makeDefault(ctx: Needs<'database'>, id: string): Promise<void> {
  await changingDefault(ctx, async (trx) => {
    const repository = storageConfigsRepository(trx)
    await repository.clearDefault()
    if (!(await repository.update(id, { is_default: 1 }))) throw new AppError(storageErrors.not_found)
  })
}

function inUse({ files, mounts }: { files: number; mounts: number }, cause?: unknown): AppError {
  return new AppError(storageErrors.in_use, {
    params: { files, mounts },
    details: [
      { path: 'files', message: String(files) },
      { path: 'mounts', message: String(mounts) },
    ],
    cause,
  })
}

/**
 * Deletes the config of an unused storage, but not its objects. If the deleted storage was the default, the oldest
 * remaining storage becomes the default. First tries to delete the objects that are queued for deletion.
 * @throws {AppError} `storage.not_found`, `storage.in_use` with the numbers of files and mounts
 */
export async function deleteConfig(
  ctx: Needs<'database' | 'db' | 'events' | 'notices'>,
  id: string,
): Promise<void> {
  await getConfig(ctx, id)
  await ctx.events.announce('storage_deleting', { configId: id })
  try {
    await changingDefault(ctx, async (trx) => {
      const repository = storageConfigsRepository(trx)
      const usage = await repository.usage(id)
      if (usage.files + usage.mounts > 0) throw inUse(usage)
      await repository.deleteTombstones(id)
      if (!(await repository.delete(id))) throw new AppError(storageErrors.not_found)
      await repository.ensureDefault()
    })
  } catch (error) {
    // A foreign key violation means that a file or mount was created after the count.
    if (isForeignKeyViolation(error)) throw inUse(await storageConfigsRepository(ctx.db).usage(id), error)
    throw error
  }
  await forgetCached(ctx.notices, id)
}
