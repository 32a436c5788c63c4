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

/** What a driver is made from; a row of `storage_configs` fits. */
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

/** The drivers of all storage configs, each created at its first use and again after its config changed. */
export interface StorageDrivers {
  /** @throws {StorageError} when the storage cannot be opened. */
  driverFor(source: DriverSource): Promise<StorageDriver>
  close(): Promise<void>
}

export interface StorageDriversOptions {
  readonly dataDir: string
  /** As `DiskDriverOptions` has it. */
  readonly diskSyncs: boolean
  /** Told what an old journal of small files gave back to a local disk, and how many files something was in the way of. */
  readonly onTakenOver?: (folder: string, files: TakenOver) => void
  /** Of the file system of a local disk, which stay free. */
  readonly diskReserveBytes: number
  readonly secrets: Secrets
  readonly clock: Clock
  /** Where buckets note the uploads in parts that a call of theirs carries out. */
  readonly noteUploads: (configId: string) => NoteUpload
  readonly tracing?: Tracing | null
}

export type CredentialField = 'access_key_id' | 'secret_access_key'

/** What a sealed credential of a storage config is bound to. */
export const credentialContext = (configId: string, field: CredentialField): string =>
  `storage-config:${configId}:${field}`

/** How long calls that run on a replaced driver may go on. */
const RETIRED_MS = 15 * 60_000

const S3_PROVIDERS: readonly S3Provider[] = ['Cloudflare R2', 'Backblaze B2', 'AWS S3', 'Aliyun OSS']

/** The provider that a text of the wire names; every unknown one speaks plain S3. */
export const s3ProviderOf = (text: string): S3Provider =>
  S3_PROVIDERS.find((known) => known === text) ?? 'Other'

function diskRoot(dataDir: string, folder: string): string {
  const base = join(dataDir, 'storage')
  const root = resolve(base, folder)
  if (!root.startsWith(base + sep))
    throw new StorageError('storage.denied', 'The folder of a local disk lies below the data folder.')
  return root
}

/** A credential in clear. @throws {StorageError} `storage.denied` when there is none, or another secret sealed it. */
export function openCredential(secrets: Secrets, source: DriverSource, field: CredentialField): string {
  const sealed = source[`${field}_sealed`]
  if (sealed === null) throw new StorageError('storage.denied', `The storage has no ${field}.`)
  try {
    return secrets.open(sealed, credentialContext(source.id, field))
  } catch (cause) {
    throw new StorageError('storage.denied', `The ${field} of the storage cannot be decrypted.`, { cause })
  }
}

/** A driver whose addresses to read are made in another way. */
const withReadLinks = <Driver extends StorageDriver>(driver: Driver, get: PresignedLinks['get']): Driver => ({
  ...driver,
  links: { ...driver.links, get },
})

/**
 * Links to read lead to the custom host: bare where the bytes are to be shown, with the signed query where they are to be
 * saved. Uploads never do, nor does a link that names no disposition.
 */
const throughCustomHost = (driver: S3Driver): StorageDriver =>
  withReadLinks(driver, async (key, o) => {
    if (o.contentDisposition === undefined) return driver.links.get(key, o)
    const isToBeShown = o.contentDisposition.startsWith('inline')
    const signed = isToBeShown ? undefined : await driver.links.get(key, o)
    return driver.publicUrl(key, signed) ?? driver.links.get(key, o)
  })

/**
 * What a browser would run in the origin of the bucket, which may be that of other sites, too, is to be saved: nothing else keeps
 * it from that there. The extension counts as well, since some providers send the type that the object was stored with.
 */
const savingActive = (driver: StorageDriver): StorageDriver =>
  withReadLinks(driver, (key, o) => {
    const isActive = isActiveType(o.contentType ?? '') || isActiveType(inferMimeType(key))
    const saved = { ...o, contentDisposition: o.contentDisposition?.replace(/^inline/, 'attachment') }
    return driver.links.get(key, isActive ? saved : o)
  })

/** How long an address may be that reads from a bucket past this server, which cannot take it back. */
export const BUCKET_LINK_MAX_SECONDS = 15 * 60

/** Addresses to read that live longer lead to this server, which asks whether they still hold and redirects. */
const boundingReads = (driver: StorageDriver, own: PresignedLinks): StorageDriver =>
  withReadLinks(driver, (key, o) => {
    if (o.expiresInSeconds <= BUCKET_LINK_MAX_SECONDS) return driver.links.get(key, o)
    if (o.issuer) return own.get(key, o)
    return driver.links.get(key, { ...o, expiresInSeconds: BUCKET_LINK_MAX_SECONDS })
  })

/** Whether a path can lead to a key: names may hold what a path may not, such as `\` and `%2e%2e`. */
const hasPath = (key: string): boolean => !/[%\\]/.test(key) || parseVirtualPath(key) !== null

/** What no path can lead to is listed apart, as what no key can say: whoever met it could do nothing with it. */
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

/** Everything of a config that its driver depends on: the rest may change under running calls. */
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

  /** A changed config must not interrupt streams of the earlier driver. */
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
      // A failure is not kept: the next call tries again.
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
