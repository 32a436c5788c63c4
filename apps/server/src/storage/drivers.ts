import { join, resolve, sep } from 'node:path'
import { LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import {
  createDiskDriver,
  createS3Driver,
  type NoteUpload,
  type PresignedLinks,
  type S3Driver,
  type S3Provider,
  type StorageDriver,
  StorageError,
  type TakenOver,
} from '@dropleaf/storage'
import type { Clock } from '../lib/clock.ts'
import { isActiveType } from '../lib/bodies/content-headers.ts'
import { inferMimeType } from '../lib/mime.ts'
import { parseVirtualPath } from '../lib/paths.ts'
import type { Secrets } from '../lib/secrets.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { createSignedLinks } from './signed-links.ts'
import { tracingCalls } from './tracing-calls.ts'

/** Settings of a driver; a subset of a row of `storage_configs`. */
export interface DriverSource {
  readonly id: string
  readonly provider_type: string
  readonly endpoint_url: string
  readonly bucket_name: string
  readonly region: string
  readonly access_key_id_sealed: string | null
  readonly secret_access_key_sealed: string | null
  readonly path_style: number
  readonly custom_host: string | null
}

/** Drivers of all storage configs, created on first use and recreated when the config changes. */
export interface StorageDrivers {
  /** @throws {StorageError} if the storage cannot be opened. */
  driverFor(source: DriverSource): Promise<StorageDriver>
  close(): Promise<void>
}

export interface StorageDriversOptions {
  readonly dataDir: string
  /** Whether writes are fsynced; see `DiskDriverOptions`. */
  readonly diskSyncs: boolean
  /**
   * Called with the folder of a local disk if files were restored from an old journal, or a part of the journal could
   * not be restored.
   */
  readonly onTakenOver?: (folder: string, files: TakenOver) => void
  /** Bytes that writes leave free on the file system of a local disk. */
  readonly diskReserveBytes: number
  readonly secrets: Secrets
  readonly clock: Clock
  /** Records multipart uploads that a bucket starts within one call. */
  readonly noteUploads: (configId: string) => NoteUpload
  readonly tracing?: Tracing | null
}

export type CredentialField = 'access_key_id' | 'secret_access_key'

/** Returns the context with which a credential of a storage config is encrypted. */
export const credentialContext = (configId: string, field: CredentialField): string =>
  `storage-config:${configId}:${field}`

/** How long calls on a replaced driver can continue. */
const RETIRED_MS = 15 * 60_000

const S3_PROVIDERS: readonly S3Provider[] = ['Cloudflare R2', 'Backblaze B2', 'AWS S3', 'Aliyun OSS']

/** Returns the provider for an API value. Unknown values mean plain S3. */
export const s3ProviderOf = (text: string): S3Provider =>
  S3_PROVIDERS.find((known) => known === text) ?? 'Other'

function diskRoot(dataDir: string, folder: string): string {
  const base = join(dataDir, 'storage')
  const root = resolve(base, folder)
  if (!root.startsWith(base + sep))
    throw new StorageError('storage.denied', 'The folder of a local disk lies below the data folder.')
  return root
}

/**
 * Decrypts a credential. @throws {StorageError} `storage.denied` if there is none, or it was encrypted with another
 * secret
 */
export function openCredential(secrets: Secrets, source: DriverSource, field: CredentialField): string {
  const sealed = source[`${field}_sealed`]
  if (sealed === null) throw new StorageError('storage.denied', `The storage has no ${field}.`)
  try {
    return secrets.open(sealed, credentialContext(source.id, field))
  } catch (cause) {
    throw new StorageError('storage.denied', `The ${field} of the storage cannot be decrypted.`, { cause })
  }
}

/** Replaces how a driver signs URLs for reading. */
const withReadLinks = <Driver extends StorageDriver>(driver: Driver, get: PresignedLinks['get']): Driver => ({
  ...driver,
  links: { ...driver.links, get },
})

/**
 * Makes URLs for reading use the custom host. URLs that show the bytes are unsigned, and URLs that download them
 * contain the signed query. URLs for uploads, and URLs without a disposition, do not use the custom host.
 */
const throughCustomHost = (driver: S3Driver): StorageDriver =>
  withReadLinks(driver, async (key, o) => {
    if (o.contentDisposition === undefined) return driver.links.get(key, o)
    const isToBeShown = o.contentDisposition.startsWith('inline')
    const signed = isToBeShown ? undefined : await driver.links.get(key, o)
    return driver.publicUrl(key, signed) ?? driver.links.get(key, o)
  })

/**
 * Always downloads active content. Otherwise a browser could run the content in the bucket's origin, which other sites
 * might share. The extension counts too, because some providers send the type with which the object was stored.
 */
const savingActive = (driver: StorageDriver): StorageDriver =>
  withReadLinks(driver, (key, o) => {
    const isActive = isActiveType(o.contentType ?? '') || isActiveType(inferMimeType(key))
    const saved = { ...o, contentDisposition: o.contentDisposition?.replace(/^inline/, 'attachment') }
    return driver.links.get(key, isActive ? saved : o)
  })

/**
 * Longest lifetime of a URL that reads directly from a bucket. It is short, because this server cannot revoke such a
 * URL.
 */
export const BUCKET_LINK_MAX_SECONDS = 15 * 60

/**
 * Replaces longer-lived URLs for reading with URLs of this server. This server checks the validity of such a URL, and
 * then redirects. Without an issuer, the bucket's URL gets the maximum lifetime instead.
 */
const boundingReads = (driver: StorageDriver, own: PresignedLinks): StorageDriver =>
  withReadLinks(driver, (key, o) => {
    if (o.expiresInSeconds <= BUCKET_LINK_MAX_SECONDS) return driver.links.get(key, o)
    if (o.issuer) return own.get(key, o)
    return driver.links.get(key, { ...o, expiresInSeconds: BUCKET_LINK_MAX_SECONDS })
  })

/** Whether a path can address a key. Keys can contain text that is invalid in a path, such as `\` and `%2e%2e`. */
const hasPath = (key: string): boolean => !/[%\\]/.test(key) || parseVirtualPath(key) !== null

/**
 * Treats keys that no path can address like invalid keys: lists them in `unnamed`, because no client could use them.
 */
function listingPaths(driver: StorageDriver): StorageDriver {
  return {
    ...driver,
    async list(query, o) {
      const { objects, folders, unnamed, nextCursor } = await driver.list(query, o)
      const hidden = [...objects, ...folders].map(({ key }) => key).filter((key) => !hasPath(key))
      if (hidden.length === 0) return { objects, folders, unnamed, nextCursor }
      return {
        objects: objects.filter(({ key }) => hasPath(key)),
        folders: folders.filter(({ key }) => hasPath(key)),
        unnamed: [...unnamed, ...hidden],
        nextCursor,
      }
    },
  }
}

/** Returns the settings that a driver depends on. Other settings can change while calls run. */
const connectionOf = (source: DriverSource): string =>
  JSON.stringify([
    source.provider_type,
    source.endpoint_url,
    source.bucket_name,
    source.region,
    source.access_key_id_sealed,
    source.secret_access_key_sealed,
    source.path_style,
    source.custom_host,
  ])

interface OpenDriver {
  readonly connection: string
  readonly driver: Promise<StorageDriver>
}

export function createStorageDrivers({
  dataDir,
  diskSyncs: syncs,
  onTakenOver,
  diskReserveBytes: reserveBytes,
  secrets,
  clock,
  noteUploads,
  tracing = null,
}: StorageDriversOptions): StorageDrivers {
  const open = new Map<string, OpenDriver>()
  const retired = new Set<OpenDriver>()

  const make = async (source: DriverSource): Promise<StorageDriver> =>
    tracingCalls(tracing, source.provider_type, listingPaths(await makeBare(source)))

  async function makeBare(source: DriverSource): Promise<StorageDriver> {
    const links = createSignedLinks({ configId: source.id, secrets, clock })
    if (source.provider_type === LOCAL_DISK_PROVIDER) {
      const root = diskRoot(dataDir, source.bucket_name)
      return createDiskDriver({
        root,
        links,
        syncs,
        onTakenOver: (files) => onTakenOver?.(root, files),
        reserveBytes,
      })
    }
    const driver = await createS3Driver({
      provider: s3ProviderOf(source.provider_type),
      endpointUrl: source.endpoint_url,
      bucket: source.bucket_name,
      region: source.region,
      accessKeyId: openCredential(secrets, source, 'access_key_id'),
      secretAccessKey: openCredential(secrets, source, 'secret_access_key'),
      pathStyle: source.path_style === 1,
      customHost: source.custom_host,
      clock,
      noteUpload: noteUploads(source.id),
    })
    return boundingReads(
      savingActive(source.custom_host === null ? driver : throughCustomHost(driver)),
      links,
    )
  }

  const end = async (one: OpenDriver): Promise<void> => {
    retired.delete(one)
    await one.driver.then((driver) => driver.close()).catch(() => undefined)
  }

  /** Closes a replaced driver after a delay, because a changed config must not interrupt its streams. */
  function retire(one: OpenDriver): void {
    retired.add(one)
    setTimeout(() => void end(one), RETIRED_MS).unref()
  }

  return {
    async driverFor(source) {
      const connection = connectionOf(source)
      const known = open.get(source.id)
      if (known?.connection === connection) return known.driver
      const one = { connection, driver: make(source) }
      open.set(source.id, one)
      if (known) retire(known)
      // Removes a driver that could not be opened, so that the failure is not cached and the next call retries.
      one.driver.catch(() => {
        if (open.get(source.id) === one) open.delete(source.id)
      })
      return one.driver
    },
    async close() {
      await Promise.allSettled([...open.values(), ...retired].map(end))
      open.clear()
    },
  }
}
