import { CliError, EXIT } from '../errors.ts'
import type { Run } from '../run.ts'
import { type TreeItem, unusablePaths } from './local-tree.ts'

/** Maximum number of unusable names in a message. */
const NAMED_MAX = 20

/** Prints the paths that are invalid in a bundle. @throws {CliError} if there are any */
export function requireUsable(run: Run, items: readonly TreeItem[]): void {
  const unusable = unusablePaths(items)
  if (unusable.length === 0) return
  for (const { text, file } of unusable.slice(0, NAMED_MAX)) run.note(text, { file })
  throw new CliError({ exitCode: EXIT.failed, text: 'share.unusable', params: { count: unusable.length } })
}
