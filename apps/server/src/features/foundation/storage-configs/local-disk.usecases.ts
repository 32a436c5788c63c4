import { DEFAULT_SIGNATURE_SECONDS, LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { newId } from '../../../lib/ids.ts'
import type { Db } from '../../../schema.ts'
import { storageConfigsRepository } from './storage-configs.repository.ts'

/**
 * Creates the local disk storage at the first start, as the default and available to API keys.
 * @param mount creates the disk's mount, in the same transaction
 */
export async function ensureLocalDisk(
  ctx: Needs<'clock' | 'database' | 'db'>,
  mount: (db: Db, configId: string) => Promise<void>,
): Promise<void> {
  if ((await storageConfigsRepository(ctx.db).list()).length > 0) return
  const nowMs = ctx.clock.nowMs()
  const id = newId()
  await ctx.database.transaction(async (trx) => {
    await storageConfigsRepository(trx).insert({
      id,
      name: 'Local disk',
      provider_type: LOCAL_DISK_PROVIDER,
      endpoint_url: '',
      bucket_name: 'local',
      region: '',
      access_key_id_sealed: null,
      secret_access_key_sealed: null,
      path_style: 1,
      default_folder: '',
      is_public: 1,
      is_default: 1,
      total_storage_bytes: null,
      custom_host: null,
      signature_expires_in: DEFAULT_SIGNATURE_SECONDS,
      last_used_at_ms: null,
      created_at_ms: nowMs,
      updated_at_ms: nowMs,
    })
    await mount(trx, id)
  })
}

/**
 * Opens the local disks. Opening a disk recovers its files after a power failure, before the files are read. If a disk
 * cannot be opened, the error is reported when the disk is used.
 */
export async function openLocalDisks(ctx: Needs<'db' | 'log' | 'storage'>): Promise<void> {
  for (const config of await storageConfigsRepository(ctx.db).list()) {
    if (config.provider_type !== LOCAL_DISK_PROVIDER) continue
    try {
      await ctx.storage.driverFor(config)
    } catch (error) {
      ctx.log.warn({ err: error, storage: config.name }, 'a local disk cannot be opened')
    }
  }
}
