import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Needs } from '../../../context.ts'

/**
 * Returns the path of a marker file that exists while the index lacks changes. The marker is a file, because the
 * database does not accept writes at that time.
 */
const fileOf = ({ config }: Needs<'config'>): string => join(config.dataDir, 'index-behind')

/**
 * Creates or deletes the marker file. At the next start, the server detects from this file whether the index lacks
 * changes.
 */
export function markBehind(ctx: Needs<'config' | 'log'>, isAny: boolean): void {
  const file = fileOf(ctx)
  try {
    if (isAny) writeFileSync(file, '', { mode: 0o600 })
    else rmSync(file, { force: true })
  } catch (error) {
    ctx.log.warn({ err: error }, 'a start would not know that changes are missing in the index')
  }
}

/** Whether the server stopped while an index lacked changes. */
export const wasBehind = (ctx: Needs<'config'>): boolean => existsSync(fileOf(ctx))
