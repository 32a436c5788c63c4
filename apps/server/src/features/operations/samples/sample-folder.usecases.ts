import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { fsErrors, LOCAL_DISK_PROVIDER } from '@dropleaf/contract'
import type { Needs, PlaceNeeds, WriteNeeds } from '../../../context.ts'
import { AppError } from '../../../lib/app-error.ts'
import type { AdminActor } from '../../foundation/identity/actor.models.ts'
import { makeFolder } from '../../capabilities/fs/files/folders.usecases.ts'
import { getPlace } from '../../capabilities/fs/places/places.usecases.ts'
import { type Entry, getEntry } from '../../capabilities/fs/files/reading.usecases.ts'
import { removePaths } from '../../capabilities/fs/transfers/removing.usecases.ts'
import { writeFile } from '../../capabilities/fs/files/writing.usecases.ts'
import { activeMounts } from '../../foundation/mounts/mounts.usecases.ts'
import { configsById } from '../../foundation/storage-configs/storage-configs.usecases.ts'
import type { SampleTexts } from './sample-texts/index.ts'
import { namesLike, type SampleFolder, type SampleRecord, sumOf } from './samples.models.ts'

/** Every sample is smaller than this limit. A larger file has replaced a sample, and is not read. */
const SAMPLE_MAX_BYTES = 64 * 1024

/** Returns the given path if it is a folder. @throws {AppError} as `getEntry`; `fs.not_found` also for a file */
export async function findSampleFolder(ctx: PlaceNeeds, admin: AdminActor, path: string): Promise<string> {
  const entry = await getEntry(ctx, admin, path)
  if (entry.kind !== 'folder') throw new AppError(fsErrors.not_found)
  return path
}

/** Finds the mount of a local disk, where samples incur no costs. */
async function findDiskMount(ctx: Needs<'db'>): Promise<string | undefined> {
  const mounts = await activeMounts(ctx)
  const configs = await configsById(
    ctx,
    mounts.map(({ storage_config_id: id }) => id ?? ''),
  )
  const onDisk = ({ storage_config_id: id }: (typeof mounts)[number]) =>
    configs.get(id ?? '')?.provider_type === LOCAL_DISK_PROVIDER
  return mounts.find(onDisk)?.mount_path
}

async function findEntry(ctx: PlaceNeeds, admin: AdminActor, path: string): Promise<Entry | undefined> {
  try {
    return await getEntry(ctx, admin, path)
  } catch (error) {
    if (error instanceof AppError && error.spec.code === fsErrors.not_found.code) return undefined
    throw error
  }
}

async function freePath(ctx: PlaceNeeds, admin: AdminActor, name: string): Promise<string | undefined> {
  const mountPath = await findDiskMount(ctx)
  if (mountPath === undefined) return undefined
  const base = mountPath === '/' ? '' : mountPath
  for (const candidate of namesLike(name))
    if (!(await findEntry(ctx, admin, `${base}/${candidate}`))) return `${base}/${candidate}`
  return undefined
}

interface Making {
  readonly texts: SampleTexts
  /** Records the folder before it is created. */
  readonly note: (change: Pick<SampleRecord, 'folder'>) => Promise<void>
}

/** Creates the sample folder under a free name. Does nothing if no local disk is mounted, or if no name is free. */
export async function makeSampleFolder(
  ctx: WriteNeeds & Needs<'secrets'>,
  admin: AdminActor,
  { texts: { folder }, note }: Making,
): Promise<void> {
  const path = await freePath(ctx, admin, folder.name)
  if (path === undefined) return
  const files = folder.files.map(({ name, content }) => ({ name, sha256: sumOf(content) }))
  await note({ folder: { path, files } })
  await makeFolder(ctx, admin, path)
  for (const { name, content } of folder.files) {
    const bytes = Buffer.from(content)
    await writeFile(ctx, await getPlace(ctx, admin, `${path}/${name}`, 'write'), {
      source: Readable.from([bytes]),
      authorize: null,
      sizeBytes: bytes.length,
      conditions: { ifAbsent: true },
    })
  }
}

async function isUnchanged(
  ctx: PlaceNeeds,
  admin: AdminActor,
  { path, sha256 }: { path: string; sha256: string },
): Promise<boolean> {
  const entry = await findEntry(ctx, admin, path)
  if (entry?.kind !== 'file' || entry.stat.sizeBytes > SAMPLE_MAX_BYTES) return false
  const { body } = await entry.place.driver.read(entry.stat.key)
  return sumOf(await buffer(body)) === sha256
}

/**
 * Deletes the unchanged sample files, and the folder if it is empty afterwards. @returns whether the folder was deleted
 */
export async function removeSampleFolder(
  ctx: PlaceNeeds & Needs<'tasks'>,
  admin: AdminActor,
  { path, files }: SampleFolder,
): Promise<boolean> {
  const made = files.map(({ name, sha256 }) => ({ path: `${path}/${name}`, sha256 }))
  const doomed: string[] = []
  for (const file of made) if (await isUnchanged(ctx, admin, file)) doomed.push(file.path)
  if (doomed.length > 0) await removePaths(ctx, admin, doomed, { isToEnd: true })
  const { driver, rest } = await getPlace(ctx, admin, `${path}/`, 'write')
  const { objects } = await driver.list({ prefix: `${rest}/`, limit: 2 })
  if (objects.some(({ key }) => key !== `${rest}/`)) return false
  await removePaths(ctx, admin, [`${path}/`], { isToEnd: true })
  return true
}
