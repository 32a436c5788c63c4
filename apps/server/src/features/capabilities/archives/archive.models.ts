import { nameOf } from '../../../lib/object-names.ts'

const MANY_NAME = 'files'

/** Returns the archive's file name: the requested name, or else the name of its only entry. */
export function archiveName(asked: string | null, paths: readonly string[]): string {
  const only = paths.length === 1 ? nameOf(paths[0] ?? '') : ''
  const name = (asked ?? '').replace(/[/\\]/g, '_').trim() || only || MANY_NAME
  return name.toLowerCase().endsWith('.zip') ? name : `${name}.zip`
}
