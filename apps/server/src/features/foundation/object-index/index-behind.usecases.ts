import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AppContext } from '../../../context.ts'

/** There while an index lacks changes that this server could not write: a file, since it is the database that takes none. */
const fileOf = ({ config }: AppContext): string => join(config.dataDir, 'index-behind')

/** Says whether some index lacks changes, for a start that comes before they are written. */
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
