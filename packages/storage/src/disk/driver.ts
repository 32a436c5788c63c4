import { statfs } from 'node:fs/promises'
import type { Op, PresignedLinks, StorageDriver } from '../driver.ts'
import { translate } from './errors.ts'
import { createFolderReader } from './folder-reader.ts'
import { listObjects } from './listing.ts'
import { moveFolder, moveObject } from './moving.ts'
import { type Recovered, recoverJournal } from './journal/recovery.ts'
import { createDiskMultipart } from './multipart.ts'
import { copyObject, readObject, removeObjects, statDirectory, statObject, writeObject } from './objects.ts'
import { type DiskRoot, openRoot, requireMounted } from './root.ts'
import { closeJournal, recoverLeftover } from './small-files.ts'
import { sweepTemporary } from './sweep.ts'
import { seal, withTemporaryFile } from './temporary.ts'

export interface DiskDriverOptions {
  /** Folder that holds the objects; created if it is not there. One file system, and one process that writes. */
  root: string
  /** URLs of our own routes: a folder has none of its own. */
  links: PresignedLinks
  /**
   * Whether a write ends only when its bytes and its name are on the medium, so that a power cut takes nothing that was
   * acknowledged (the default). Otherwise the operating system takes some seconds over it.
   */
  syncs?: boolean
  /**
   * Whether small files may be noted in a journal of the folder, on the medium, and be synced at their places a little later. Only
   * for the one process that writes there; on file systems that are known to keep what they promise.
   */
  keepsJournal?: boolean
  /** Told what a journal has brought back, where there was anything. */
  onRecovered?: ((recovered: Recovered) => void) | undefined
  /** What of the file system stays free, for whoever has to write there to make room. Default 0. */
  reserveBytes?: number | undefined
}

/**
 * Objects as plain files in a folder, under their keys, to be read by any other program.
 *
 * A write goes to `<root>/.dropleaf-tmp`, is synced, then renamed (or linked for `ifAbsent`); a small one may be on the medium in
 * a journal first (`journal/`). Folders come with their
 * first file and go with their last, unless a folder marker was written: it is kept as a hidden empty file in the
 * folder. Symlinks are neither followed nor listed. Content types are not kept.
 *
 * @throws {StorageError} `storage.denied`, `storage.full` or `storage.unavailable` when the folder cannot be used.
 */
export async function createDiskDriver({
  root: path,
  links,
  syncs = true,
  keepsJournal = false,
  onRecovered,
  reserveBytes,
}: DiskDriverOptions): Promise<StorageDriver> {
  const root = await openRoot(path, { syncs, reserveBytes, keepsJournal })
  await recoverFiles(root, onRecovered)
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
    close: () => closeJournal(root.journal),
  }
}

/** @throws {StorageError} when what a power cut took away cannot be brought back */
async function recoverFiles(root: DiskRoot, onRecovered?: (recovered: Recovered) => void): Promise<void> {
  try {
    await recoverLeftover(root.journalFolder, async () => {
      const recovered = await recoverJournal(root)
      if (recovered.restored + recovered.left > 0) onRecovered?.(recovered)
    })
  } catch (error) {
    throw translate(error, 'write', root.path)
  }
}

async function probeDisk(root: DiskRoot, o: Op = {}): Promise<{ freeBytes: number }> {
  await requireMounted(root)
  await withTemporaryFile(root, async (file) => {
    o.signal?.throwIfAborted()
    await file.handle.writeFile(Buffer.alloc(1))
    await seal(file)
  })
  try {
    const { bavail, bsize } = await statfs(root.path)
    return { freeBytes: bavail * bsize }
  } catch (error) {
    throw translate(error, 'read', root.path)
  }
}
