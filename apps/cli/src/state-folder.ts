import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CliError, EXIT } from './errors.ts'
import type { TextKey } from './texts/index.ts'

const WORDS: Readonly<Record<string, TextKey>> = {
  EACCES: 'state.not_permitted',
  EDQUOT: 'state.disk_full',
  EEXIST: 'state.no_folder',
  EISDIR: 'state.no_file',
  ENOSPC: 'state.disk_full',
  ENOTDIR: 'state.no_folder',
  EPERM: 'state.not_permitted',
  ERR_FS_EISDIR: 'state.no_file',
  EROFS: 'state.read_only',
}

/**
 * Returns the file that exists in place of a folder or of one of its parents. Returns the folder itself if there is
 * no such file.
 */
async function inTheWayOf(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await stat(at).catch(() => null)
    if (found) return found.isDirectory() ? folder : at
    if (dirname(at) === at) return folder
  }
}

/**
 * Awaits an operation on a file of the state folder.
 * @throws {CliError} if the operation fails. The error contains the path of a file that exists in place of a folder.
 */
export async function inState<T>(file: string, done: Promise<T>): Promise<T> {
  try {
    return await done
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    const { code, message } = cause as NodeJS.ErrnoException
    const text = WORDS[code ?? ''] ?? 'state.unusable'
    const folder = dirname(file)
    const blocker = text === 'state.no_folder' ? await inTheWayOf(folder) : file
    const params = { file, folder, blocker, detail: code ?? message }
    throw new CliError({ exitCode: EXIT.failed, text, params, cause })
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false

/**
 * Creates a private folder, because its files contain names and URLs. Creates one folder at a time, because a recursive
 * `mkdir` reports a read-only disk as a missing folder.
 */
export async function makeStateFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 })
  try {
    await make().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' || dirname(folder) === folder) throw error
      await makeStateFolder(dirname(folder))
      await make()
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !(await isFolder(folder))) throw error
  }
}
