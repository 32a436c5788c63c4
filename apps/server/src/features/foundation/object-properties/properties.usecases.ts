import { webdavErrors } from '@dropleaf/contract'
import type { Needs } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type StorageName, parentKeyOf } from '../../../lib/object-names.ts'
import {
  type DavPropertyRow,
  propertiesRepository,
  type PropertyName,
  type PropertyQuestion,
  type StorageNames,
  TABLES,
} from './properties.repository.ts'

/** Client-set properties and modification times of several files and folders. */
export interface ClientProperties {
  readonly propertyCount: number
  propertiesOf(key: string): readonly DavPropertyRow[]
  /** Returns the client-set time of a version, or `undefined` if there is none. */
  timeOf(key: string, etag: string): number | undefined
}

const NONE: readonly DavPropertyRow[] = []

function clientPropertiesOf(
  properties: readonly DavPropertyRow[],
  times: ReadonlyArray<{ storage_key: string; etag: string; modified_at_ms: number }>,
): ClientProperties {
  const byKey = Map.groupBy(properties, (row) => row.storage_key)
  const timeByKey = new Map(times.map((row) => [row.storage_key, row]))
  return {
    propertyCount: properties.length,
    propertiesOf: (key) => byKey.get(key) ?? NONE,
    timeOf(key, etag) {
      const time = timeByKey.get(key)
      return time?.etag === etag ? time.modified_at_ms : undefined
    },
  }
}

/**
 * Reads the client-set properties and modification times of several files and folders. @param question the properties
 * to read; times are always included.
 */
export async function readClientProperties(
  ctx: Needs<'db'>,
  names: StorageNames,
  question: PropertyQuestion,
): Promise<ClientProperties> {
  const repository = propertiesRepository(ctx.db)
  const [properties, times] = await Promise.all([
    repository.propertiesOf(names, question),
    repository.timesOf(names),
  ])
  return clientPropertiesOf(properties, times)
}

/** Returns the client-set time of a version of a file, or `undefined` if there is none. */
export const clientTimeOf = async (
  ctx: Needs<'db'>,
  { configId, key }: StorageName,
  etag: string,
): Promise<number | undefined> =>
  (await readClientProperties(ctx, { configId, keys: [key] }, [])).timeOf(key, etag)

/** Maximum number of properties per resource. */
const PROPERTIES_MAX = 500
/**
 * Maximum total length of a resource's properties in characters. The length is limited, because every listing of the
 * resource can include them.
 */
export const PROPERTIES_MAX_LENGTH = 64 * 1024

export interface PropertyChange extends PropertyName {
  /** The element to store; `null` removes the property. */
  readonly xml: string | null
}

/** Applies all changes or none. @throws {AppError} `webdav.properties_full` */
export async function changeProperties(
  ctx: Needs<'database'>,
  name: StorageName,
  changes: readonly PropertyChange[],
): Promise<void> {
  await ctx.database.transaction(async (trx) => {
    const repository = propertiesRepository(trx)
    for (const change of changes) {
      if (change.xml === null) {
        await repository.deleteProperty(name, change)
        continue
      }
      await repository.setProperty({
        storage_config_id: name.configId,
        storage_key: name.key,
        parent_key: parentKeyOf(name.key) ?? '',
        namespace: change.namespace,
        name: change.name,
        xml: change.xml,
      })
    }
    const isMore = changes.some(({ xml }) => xml !== null)
    if (!isMore) return
    const { count, length } = await repository.sumProperties(name)
    if (count > PROPERTIES_MAX || length > PROPERTIES_MAX_LENGTH)
      throw new AppError(webdavErrors.properties_full)
  })
}

/** Sets the displayed modification time of one version of a file. */
export async function setClientTime(
  ctx: Needs<'db'>,
  name: StorageName,
  { etag, modifiedAtMs }: { etag: string; modifiedAtMs: number },
): Promise<void> {
  await propertiesRepository(ctx.db).setTime({
    storage_config_id: name.configId,
    storage_key: name.key,
    parent_key: parentKeyOf(name.key) ?? '',
    etag,
    modified_at_ms: modifiedAtMs,
  })
}

/**
 * Whether the resource is replaced. The locks of a replaced resource remain.
 * Source: RFC 4918, section 7.7, read 2026-11-25.
 */
interface Replaced {
  readonly isReplaced: boolean
}

export async function forgetClientProperties(
  ctx: Needs<'db'>,
  name: StorageName,
  { isReplaced }: Replaced,
): Promise<void> {
  const repository = propertiesRepository(ctx.db)
  if (!isReplaced) return repository.deleteTree(name)
  await repository.deleteTree(name, TABLES)
  await repository.deleteLocksBelow(name)
}

/** Like {@link forgetClientProperties}, for several deleted files. @param keys of files and folder markers */
export async function forgetClientPropertiesOf(
  ctx: Needs<'db'>,
  { configId, keys }: StorageNames,
  { isReplaced }: Replaced,
): Promise<void> {
  if (keys.length === 0) return
  const names = { configId, keys: keys.map((key) => key.replace(/\/$/, '')) }
  await propertiesRepository(ctx.db).deleteKeys(names, isReplaced ? TABLES : undefined)
}

export const forgetTime = (ctx: Needs<'db'>, name: StorageName): Promise<unknown> =>
  propertiesRepository(ctx.db).forgetTime(name)

export interface Carriage {
  readonly from: StorageName
  readonly to: StorageName
  readonly isMove: boolean
  /** Whether the target already existed and is merged with the source. */
  readonly isMerge: boolean
}

/**
 * Copies or moves the client-set properties of a file or folder and of everything below it. A move also deletes the
 * client-set times and the locks of the source.
 */
export async function carryClientProperties(
  ctx: Needs<'database'>,
  { from, to, isMove, isMerge }: Carriage,
): Promise<void> {
  await ctx.database.transaction(async (trx) => {
    const repository = propertiesRepository(trx)
    if (!isMerge) await repository.deleteTree(to, ['dav_properties'])
    await repository.copyTree(from, to)
    if (isMove) await repository.deleteTree(from)
  })
}

export interface CarriedFile {
  readonly from: string
  readonly fromEtag: string
  readonly to: string
  readonly etag: string
}

/**
 * Copies client-set times to the etags of the copies. The etags of the copies can differ from the etags of the
 * sources.
 */
export async function carryTimes(
  ctx: Needs<'db'>,
  { configId, toConfigId, files }: { configId: string; toConfigId: string; files: readonly CarriedFile[] },
): Promise<void> {
  if (files.length === 0) return
  const repository = propertiesRepository(ctx.db)
  const rows = await repository.timesOf({ configId, keys: files.map(({ from }) => from) })
  const times = new Map(rows.map((row) => [row.storage_key, row]))
  for (const { from, fromEtag, to, etag } of files) {
    const time = times.get(from)
    if (time?.etag !== fromEtag) continue
    await setClientTime(ctx, { configId: toConfigId, key: to }, { etag, modifiedAtMs: time.modified_at_ms })
  }
}

/** Copies the client-set properties of a file or folder, but not of anything below it. */
export async function carryOwn(
  ctx: Needs<'database'>,
  { from, to }: { from: StorageName; to: StorageName },
): Promise<void> {
  await ctx.database.transaction(async (trx) => {
    const repository = propertiesRepository(trx)
    const own = { configId: from.configId, keys: [from.key] }
    for (const { namespace, name, xml } of await repository.propertiesOf(own, 'all'))
      await repository.setProperty({
        storage_config_id: to.configId,
        storage_key: to.key,
        parent_key: parentKeyOf(to.key) ?? '',
        namespace,
        name,
        xml,
      })
  })
}
