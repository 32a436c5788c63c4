import { dirname } from 'node:path'
import { CliError, EXIT } from './errors.ts'
import type { TextKey } from './texts/index.ts'

const WORDS: Readonly<Record<string, TextKey>> = {
  EACCES: 'file.not_permitted',
  EDQUOT: 'file.disk_full',
  ENAMETOOLONG: 'file.name_too_long',
  ENOENT: 'file.no_folder',
  ENOSPC: 'file.disk_full',
  ENOTDIR: 'file.no_folder',
  EPERM: 'file.not_permitted',
  EROFS: 'file.read_only',
}

/** @throws {CliError} if the disk operation fails */
export async function onDisk<T>(path: string, done: Promise<T>): Promise<T> {
  try {
    return await done
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    const { code = '' } = cause as NodeJS.ErrnoException
    const params = { file: path, folder: dirname(path), detail: code }
    const text = WORDS[code] ?? 'file.unwritable'
    throw new CliError({ exitCode: EXIT.failed, text, params, cause })
  }
}
