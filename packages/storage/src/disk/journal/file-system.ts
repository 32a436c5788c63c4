import { execFile, execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

/**
 * Those that bring to the medium what they are told to, and sync all that they have when they are asked. Others (FUSE, network shares,
 * overlays) say that they did and do not.
 * Source: include/uapi/linux/magic.h of Linux, read 2026-11-25: ext2 to ext4, XFS, Btrfs, F2FS.
 */
const TRUSTED_TYPES = new Set([0xef53, 0x5846_5342, 0x9123_683e, 0xf2f5_2010])
/** Others may have gigabytes to be written. */
const SYNC_MAX_MS = 60_000

/** Where every Linux has it; nothing that others could put in its place is looked for. */
const SYNC = '/bin/sync'

const run = promisify(execFile)
const argsFor = (folder: string) => ['-f', folder]

/** Whether a journal can be relied on in a folder: without the program, what others have moved could not be synced. */
export async function isOnTrustedFileSystem(folder: string): Promise<boolean> {
  if (process.platform !== 'linux' || !TRUSTED_TYPES.has((await statfs(folder)).type)) return false
  return access(SYNC, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/**
 * Asks the system to bring a whole file system to the medium: for many small files that is the work of a few. Node.js has no
 * such call; the program is part of nearly every Linux.
 * @returns false where there is no such program, or it failed
 */
export async function syncFileSystem(folder: string): Promise<boolean> {
  try {
    await run(SYNC, argsFor(folder), { timeout: SYNC_MAX_MS, env: {} })
    return true
  } catch {
    return false
  }
}

/** The same, for who waits anyway. @throws {Error} */
export function syncFileSystemNow(folder: string): void {
  execFileSync(SYNC, argsFor(folder), { timeout: SYNC_MAX_MS, stdio: 'ignore', env: {} })
}
