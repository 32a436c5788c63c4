import { fsErrors } from '@dropleaf/contract'
import {
  type Body,
  type ListPage,
  type ListQuery,
  type MultipartUploads,
  type Op,
  type PresignedLinks,
  type RemoveResult,
  type StorageDriver,
  StorageError,
  type StorageKey,
  type UploadRef,
} from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import { AppError } from '../../lib/app-error.ts'
import { isInSharesFolder } from '../files/files.models.ts'
import { hasShareObjectsBelow, shareObjectsAmong } from '../files/share-objects.usecases.ts'

/** Which of some keys are out of reach. */
type FindHidden = (keys: readonly string[]) => Promise<ReadonlySet<string>>

const notFound = () => new StorageError('storage.not_found', 'There is no such object.')

/**
 * A storage as mounts show it. Objects of shares cannot be listed, read, linked, replaced, moved or removed through it: to
 * look for one finds nothing, to write to one is refused with `fs.path_reserved`.
 */
export function withoutShareObjects(
  ctx: Pick<AppContext, 'db' | 'secrets'>,
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
    if (await isHidden(key)) throw new AppError(fsErrors.path_reserved)
  }
  const { move, moveFolder } = driver
  return {
    kind: driver.kind,
    capabilities: driver.capabilities,
    links: guardedLinks(driver.links, requireSeen, requireFree),
    multipart: driver.multipart && guardedMultipart(driver.multipart, requireFree),
    stat: async (key, o) => ((await isHidden(key)) ? null : driver.stat(key, o)),
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
        // One by one then, so that what belongs to shares stays.
        if (await hasShareObjectsBelow(storage, from)) return false
        return moveFolder.call(driver, from, to, o)
      }),
    remove: (keys, o) => removeSeen(driver, hidden, keys, o),
    sweepTemporary: (o) => driver.sweepTemporary(o),
    probe: (o) => driver.probe(o),
    close: () => driver.close(),
  }
}

const ignore = () => undefined

/** A body that breaks off before its driver has it ends no process; one that is refused is let go of. */
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

async function listSeen(
  driver: StorageDriver,
  hidden: FindHidden,
  query: ListQuery,
  o: Op | undefined,
): Promise<ListPage> {
  const nothing = { objects: [], folders: [], unnamed: [], nextCursor: null }
  if (isInSharesFolder(query.prefix)) return nothing
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
