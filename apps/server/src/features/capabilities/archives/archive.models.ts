import { nameOf } from '../../../lib/object-names.ts'

const MANY_NAME = 'files'

/**
 * Returns the archive's file name, which ends in `.zip`: the requested name, otherwise the name of its only path,
 * otherwise `files`.
 */
export function archiveName(asked: string | null, paths: readonly string[]): string {
  const only = paths.length === 1 ? nameOf(paths[0] ?? '') : ''
  const name = (asked ?? '').replace(/[/\\]/g, '_').trim() || only || MANY_NAME
  return name.toLowerCase().endsWith('.zip') ? name : `${name}.zip`
}
