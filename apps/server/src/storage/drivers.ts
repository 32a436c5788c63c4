import { join, resolve, sep } from 'node:path'
import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import { createDiskDriver, type StorageDriver, StorageError } from '@dropleaf/storage'
import type { Clock } from '../lib/clock.ts'
import type { Secrets } from '../lib/secrets.ts'
import { createSignedLinks } from './signed-links.ts'

/** What a driver is made from; a row of `storage_configs` fits. */
export interface DriverSource {
  readonly id: string
  readonly provider_type: string
  readonly bucket_name: string
  readonly updated_at_ms: number
}

/** The drivers of all storage configs, each made at its first use and made anew after its config changed. */
export interface StorageDrivers {
  /** @throws {StorageError} when the storage cannot be opened. */
  driverFor(source: DriverSource): Promise<StorageDriver>
  close(): Promise<void>
}

export interface StorageDriversOptions {
  readonly dataDir: string
  readonly secrets: Secrets
  readonly clock: Clock
}

function diskRoot(dataDir: string, folder: string): string {
  const base = join(dataDir, 'storage')
  const root = resolve(base, folder)
  if (!root.startsWith(base + sep))
    throw new StorageError('storage.denied', 'The folder of a local disk lies below the data folder.')
  return root
}

export function createStorageDrivers({ dataDir, secrets, clock }: StorageDriversOptions): StorageDrivers {
  const open = new Map<string, { version: number; driver: Promise<StorageDriver> }>()

  async function make(source: DriverSource): Promise<StorageDriver> {
    if (source.provider_type !== LOCAL_DISK_PROVIDER) {
      throw new StorageError('storage.unavailable', `There is no driver for ${source.provider_type}.`)
    }
    const links = createSignedLinks({ configId: source.id, secrets, clock })
    return createDiskDriver({ root: diskRoot(dataDir, source.bucket_name), links })
  }

  return {
    async driverFor(source) {
      const known = open.get(source.id)
      if (known?.version === source.updated_at_ms) return known.driver
      const driver = make(source)
      open.set(source.id, { version: source.updated_at_ms, driver })
      // A failure is not kept: the next call tries again.
      driver.catch(() => open.delete(source.id))
      if (known)
        void known.driver.then(
          (old) => old.close(),
          () => undefined,
        )
      return driver
    },
    async close() {
      await Promise.allSettled([...open.values()].map(async ({ driver }) => (await driver).close()))
      open.clear()
    },
  }
}
