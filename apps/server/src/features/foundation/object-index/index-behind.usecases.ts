import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppContext } from '../../../context.ts'

/**
 * Marker file that exists while an index lacks changes that could not be written: a file, since the database accepts no writes.
 */
const fileOf = ({ config }: AppContext): string => join(config.dataDir, 'index-behind')

/** Records whether an index lacks changes, for a restart before they are written. */
export function markBehind(ctx: AppContext, isAny: boolean): void {
  const file = fileOf(ctx)
  try {
    if (isAny) writeFileSync(file, '', { mode: 0o600 })
    else rmSync(file, { force: true })
  } catch (error) {
    ctx.log.warn({ err: error }, 'a start would not know that changes are missing in the index')
  }
}

/** Whether the server ended while an index lacked changes. */
export const wasBehind = (ctx: AppContext): boolean => existsSync(fileOf(ctx))
