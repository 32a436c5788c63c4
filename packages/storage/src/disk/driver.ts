import { statfs, unlink } from 'node:fs/promises'
import type { Op, PresignedLinks, StorageDriver } from '../driver.ts'
import { translate } from './errors.ts'
import { createFolderReader } from './folder-reader.ts'
import { listObjects } from './listing.ts'
import { moveFolder, moveObject } from './moving.ts'
import { createDiskMultipart } from './multipart.ts'
import { takeOverJournal, type TakenOver } from './old-journal.ts'
import { readObject, statDirectory, statObject } from './reading.ts'
import { removeObjects } from './removal.ts'
import { type DiskRoot, openRoot, requireMounted } from './root.ts'
import { sweepTemporary } from './sweep.ts'
import { seal, withTemporaryFile } from './temporary.ts'
import { copyObject, writeObject } from './writing.ts'

export interface DiskDriverOptions {
  /**
   * Folder for the objects, created if missing. It must be on one file system, and only one process may open drivers
   * for it.
   */
  root: string
  /** Creates URLs of the server's own routes, because a folder has no URLs. */
  links: PresignedLinks
  /**
   * Whether a write ends only when its bytes and its name are fsynced (the default). A power cut then loses no
   * acknowledged write. If false, the operating system writes them to the disk some seconds later.
   */
  syncs?: boolean
  /** Called if files were restored from an old journal, or a part of the journal could not be restored. */
  onTakenOver?: ((files: TakenOver) => void) | undefined
  /**
   * Bytes that writes leave free on the file system, because a database needs some space even to delete rows. Default
   * 0.
   */
  reserveBytes?: number | undefined
}

/**
 * Stores objects as plain files in a folder, under their keys, readable by any other program.
 *
 * A write goes to `<root>/.dropleaf-tmp`, is fsynced if `syncs` is set, and is then renamed (or linked for `ifAbsent`).
 * A folder is created with its first file and removed with its last. A folder with a folder marker, which is a hidden
 * empty file, is not removed. Symlinks are neither followed nor listed. Content types are not stored.
 * @throws {StorageError} `storage.denied`, `storage.full` or `storage.unavailable` if the folder cannot be used;
 * `storage.exists` if a file is in its place
 */
export async function createDiskDriver({
  root: path,
  links,
  syncs = true,
  onTakenOver,
  reserveBytes,
}: DiskDriverOptions): Promise<StorageDriver> {
  const root = await openRoot(path, { syncs, reserveBytes })
  const files = await takeOverJournal(root)
  if (files.restored > 0 || files.keptIn !== null) onTakenOver?.(files)
  const readFolder = createFolderReader(root)
  const statMarker: StorageDriver['stat'] = (key) => statObject(root, readFolder, key)
  return {
    kind: 'disk',
    capabilities: { conditionalWrite: root.canLink, serverSideCopy: true, nestedKeys: false },
    links,
    multipart: createDiskMultipart(root),
    stat: (key) => statObject(root, readFolder, key),
    statFolder: (key) => statDirectory(root, key),
    list: (query, o) => listObjects({ root, readFolder, statMarker }, query, o),
    read: (key, o) => readObject(root, key, o),
    write: (key, body, o) => writeObject(root, key, body, o),
    copy: (from, to, o) => copyObject(root, from, to, o),
    move: (from, to, o) => moveObject(root, from, to, o),
    moveFolder: (from, to, o) => moveFolder(root, from, to, o),
    remove: (keys, o) => removeObjects(root, keys, o),
    sweepTemporary: (o) => sweepTemporary(root, o),
    probe: (o) => probeDisk(root, o),
    close: () => Promise.resolve(),
  }
}

async function probeDisk(root: DiskRoot, o: Op = {}): Promise<{ freeBytes: number }> {
  await requireMounted(root)
  await withTemporaryFile(root, async (file) => {
    o.signal?.throwIfAborted()
    await file.handle.writeFile(Buffer.alloc(1))
    await seal(file)
    await unlink(file.path)
  })
  try {
    const { bavail, bsize } = await statfs(root.path)
    return { freeBytes: bavail * bsize }
  } catch (error) {
    throw translate(error, 'read', root.path)
  }
}
