import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { CliError, EXIT } from './errors.ts'
import type { TextKey } from './texts/index.ts'

const WORDS: Readonly<Record<string, TextKey>> = {
  EACCES: 'state.not_permitted',
  EDQUOT: 'state.disk_full',
  EEXIST: 'state.no_folder',
  EISDIR: 'state.no_file',
  ENOENT: 'state.no_folder',
  ENOSPC: 'state.disk_full',
  ENOTDIR: 'state.no_folder',
  EPERM: 'state.not_permitted',
  ERR_FS_EISDIR: 'state.no_file',
  EROFS: 'state.read_only',
}

/** What is in the place of a folder, or of one above it; the folder itself where nothing is. */
async function inTheWayOf(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const found = await stat(at).catch(() => null)
    if (found) return found.isDirectory() ? folder : at
    if (dirname(at) === at) return folder
  }
}

/**
 * Something done to a file of the state folder.
 * @throws {CliError} that says what is in the way there
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

/** For its owner alone: there are names and addresses in it. */
export const makeStateFolder = async (folder: string): Promise<void> =>
  void (await mkdir(folder, { recursive: true, mode: 0o700 }))
