import { fsErrors } from '@dropleaf/contract'
import {
  type Body,
  compareKeys,
  isFolderKey,
  type ListPage,
  type ListQuery,
  type MultipartUploads,
  type ObjectStat,
  type Op,
  parseFolderKey,
  type PresignedLinks,
  type RemoveResult,
  type StorageDriver,
  StorageError,
  type StorageKey,
  type UploadRef,
} from '@dropleaf/storage'
import type { Needs } from '../../../../context.ts'
import { AppError } from '../../../../lib/app-error.ts'
import { isInSharesFolder } from '../../../foundation/share-objects/share-keys.models.ts'
import {
  hasShareObjectsBelow,
  shareObjectsAmong,
} from '../../../foundation/share-objects/share-objects.usecases.ts'
import { walk } from '../../../../storage/walk.ts'

/** Returns the hidden keys among `keys`. */
type FindHidden = (keys: readonly string[]) => Promise<ReadonlySet<string>>

const notFound = () => new StorageError('storage.not_found', 'There is no such object.')

/**
 * Wraps a storage driver so that objects of shares cannot be listed, read, linked, replaced, moved or deleted. Reading
 * an object of a share fails with `storage.not_found`. Writing such an object fails with `fs.path_reserved`, and
 * deleting it with `storage.denied`.
 */
export function withoutShareObjects(
  ctx: Needs<'db' | 'secrets'>,
  configId: string,
  driver: StorageDriver,
): StorageDriver {
  const storage = { db: ctx.db, configId }
  const hidden: FindHidden = (keys) => shareObjectsAmong(ctx, storage, keys)
  const isHidden = async (key: string) => (await hidden([key])).has(key)
  async function requireSeen(key: StorageKey): Promise<void> {
    if (await isHidden(key)) throw notFound()
  }
  async function requireFree(key: StorageKey): Promise<void> {
    const isReserved = (await shareObjectsAmong(ctx, storage, [key], { isWrite: true })).size > 0
    if (isReserved) throw new AppError(fsErrors.path_reserved)
  }
  const { move, moveFolder } = driver
  return {
    kind: driver.kind,
    capabilities: driver.capabilities,
    links: guardedLinks(driver.links, requireSeen, requireFree),
    multipart: driver.multipart && guardedMultipart(driver.multipart, requireFree),
    stat: async (key, o) => ((await isHidden(key)) ? null : statSeen(driver, hidden, key, o)),
    statFolder: async (key, o) => ((await isHidden(key)) ? null : driver.statFolder(key, o)),
    list: (query, o) => listSeen(driver, hidden, query, o),
    async read(key, o) {
      await requireSeen(key)
      return driver.read(key, o)
    },
    async write(key, body, o) {
      await whileHeld(body, requireFree(key))
      return driver.write(key, body, o)
    },
    async copy(from, to, o) {
      await requireSeen(from)
      await requireFree(to)
      return driver.copy(from, to, o)
    },
    move:
      move &&
      (async (from, to, o) => {
        await requireSeen(from)
        await requireFree(to)
        return move.call(driver, from, to, o)
      }),
    moveFolder:
      moveFolder &&
      (async (from, to, o) => {
        await requireSeen(from)
        await requireFree(to)
        // Returns `false`, so that the caller moves file by file. Objects of shares then remain in place.
        for (const folder of [from, to]) if (await hidesBelow(ctx, { configId, driver }, folder)) return false
        return moveFolder.call(driver, from, to, o)
      }),
    remove: (keys, o) => removeSeen(driver, hidden, keys, o),
    sweepTemporary: (o) => driver.sweepTemporary(o),
    probe: (o) => driver.probe(o),
    close: () => driver.close(),
  }
}

interface WholeStorage {
  readonly configId: string
  /** The unfiltered driver. */
  readonly driver: StorageDriver
}

/** Returns whether a folder (`a/`) has hidden objects: objects of shares, or anything in a folder of shares. */
export async function hidesBelow(
  ctx: Needs<'db' | 'secrets'>,
  { configId, driver }: WholeStorage,
  folder: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const storage = { db: ctx.db, configId }
  if (await hasShareObjectsBelow(storage, folder)) return true
  for await (const { objects } of walk(driver, { prefix: folder, signal }))
    if (
      (
        await shareObjectsAmong(
          ctx,
          storage,
          objects.map(({ key }) => key),
        )
      ).size > 0
    )
      return true
  return false
}

const ignore = () => undefined

/**
 * Waits for the check before the driver reads the body. Handles errors of the body, because an unhandled error would
 * crash the process. Releases the body if the check fails.
 */
async function whileHeld(body: Body, check: Promise<void>): Promise<void> {
  if (Buffer.isBuffer(body)) return check
  body.on('error', ignore)
  try {
    await check
  } catch (error) {
    body.destroy()
    throw error
  }
}

type Check = (key: StorageKey) => Promise<void>

function guardedLinks(links: PresignedLinks, requireSeen: Check, requireFree: Check): PresignedLinks {
  return {
    async get(key, o) {
      await requireSeen(key)
      return links.get(key, o)
    },
    async put(key, o) {
      await requireFree(key)
      return links.put(key, o)
    },
    async part(upload, partNumber, o) {
      await requireFree(upload.key)
      return links.part(upload, partNumber, o)
    },
  }
}

function guardedMultipart(multipart: MultipartUploads, requireFree: Check): MultipartUploads {
  const guarded =
    <Rest extends unknown[], Result>(call: (upload: UploadRef, ...rest: Rest) => Promise<Result>) =>
    async (upload: UploadRef, ...rest: Rest) => {
      await requireFree(upload.key)
      return call(upload, ...rest)
    }
  return {
    async create(key, o) {
      await requireFree(key)
      return multipart.create(key, o)
    },
    async uploadPart(upload, partNumber, body, o) {
      await whileHeld(body, requireFree(upload.key))
      return multipart.uploadPart(upload, partNumber, body, o)
    },
    listParts: guarded((...call) => multipart.listParts(...call)),
    complete: guarded((...call) => multipart.complete(...call)),
    abort: (upload, o) => multipart.abort(upload, o),
  }
}

const isEmpty = ({ objects, folders, unnamed }: ListPage): boolean =>
  objects.length + folders.length + unnamed.length === 0

/** Returns whether a folder contains nothing, or only hidden objects. */
async function holdsNothingSeen(
  driver: StorageDriver,
  hidden: FindHidden,
  folder: string,
  o: Op | undefined,
) {
  const page = await listSeen(driver, hidden, { prefix: folder, delimiter: '/', limit: LOOK_AHEAD }, o)
  return isEmpty(page) && page.nextCursor === null
}

/** Returns an object's metadata. A folder with only hidden objects looks like an empty folder with a marker. */
async function statSeen(
  driver: StorageDriver,
  hidden: FindHidden,
  key: StorageKey,
  o: Op | undefined,
): Promise<ObjectStat | null> {
  const stat = await driver.stat(key, o)
  if (stat !== null || !isFolderKey(key)) return stat
  const folder = await driver.statFolder(parseFolderKey(key), o)
  if (folder === null || !(await holdsNothingSeen(driver, hidden, key, o))) return null
  return { key, sizeBytes: 0, etag: '', modifiedAtMs: folder.modifiedAtMs ?? 0 }
}

/** Number of entries that are read at once to find a visible entry. */
const LOOK_AHEAD = 1000
const LOOKS_MAX = 50

/**
 * Returns a cursor after consecutive hidden entries, or `null` at the end. An empty page would reveal that hidden
 * entries exist.
 */
async function passHidden(
  driver: StorageDriver,
  hidden: FindHidden,
  query: ListQuery & { readonly cursor: string },
  o: Op | undefined,
): Promise<string | null> {
  const ahead = await driver.list({ ...query, limit: LOOK_AHEAD }, o)
  const keys = [...ahead.objects, ...ahead.folders].map(({ key }) => key).sort(compareKeys)
  const out = await hidden(keys)
  const first = keys.findIndex((key) => !out.has(key))
  if (first < 0) return ahead.nextCursor
  if (first === 0) return query.cursor
  return (await driver.list({ ...query, limit: first }, o)).nextCursor
}

async function listSeen(
  driver: StorageDriver,
  hidden: FindHidden,
  query: ListQuery,
  o: Op | undefined,
): Promise<ListPage> {
  const nothing = { objects: [], folders: [], unnamed: [], nextCursor: null }
  if (isInSharesFolder(query.prefix)) return nothing
  let page = await listPageSeen(driver, hidden, query, o)
  for (let looks = 0; looks < LOOKS_MAX && isEmpty(page) && page.nextCursor !== null; looks += 1) {
    const cursor = await passHidden(driver, hidden, { ...query, cursor: page.nextCursor }, o)
    if (cursor === null) return nothing
    page = await listPageSeen(driver, hidden, { ...query, cursor }, o)
  }
  return page
}

async function listPageSeen(
  driver: StorageDriver,
  hidden: FindHidden,
  query: ListQuery,
  o: Op | undefined,
): Promise<ListPage> {
  const page = await driver.list(query, o)
  const out = await hidden([...page.objects, ...page.folders].map(({ key }) => key))
  return {
    objects: page.objects.filter(({ key }) => !out.has(key)),
    folders: page.folders.filter(({ key }) => !out.has(key)),
    unnamed: page.unnamed.filter((name) => !isInSharesFolder(name)),
    nextCursor: page.nextCursor,
  }
}

async function removeSeen(
  driver: StorageDriver,
  hidden: FindHidden,
  keys: readonly StorageKey[],
  o: Op | undefined,
): Promise<RemoveResult> {
  const out = await hidden(keys)
  const { removed, failed } = await driver.remove(
    keys.filter((key) => !out.has(key)),
    o,
  )
  const kept = keys.filter((key) => out.has(key))
  const denied = kept.map((key) => ({
    key,
    error: new StorageError('storage.denied', 'The object belongs to a share.'),
  }))
  return { removed, failed: [...failed, ...denied] }
}
