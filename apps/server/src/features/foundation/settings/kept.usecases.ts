import type { AppContext } from '../../../context.ts'
import type { Db } from '../../../schema.ts'
import { settingsRepository } from './settings.repository.ts'

/** What the server keeps in mind beside the settings; nobody changes it as one. */
export type KeptName = 'welcome' | 'samples' | 'first_login'

/** What is kept under a name, or `undefined`: also for what is no JSON. */
export async function readKept(ctx: AppContext, name: KeptName): Promise<unknown> {
  const [row] = await settingsRepository(ctx.db).find([name])
  if (!row) return undefined
  try {
    return JSON.parse(row.value)
  } catch {
    return undefined
  }
}

export const keep = (
  db: Db,
  name: KeptName,
  { value, nowMs }: { value: object; nowMs: number },
): Promise<unknown> =>
  settingsRepository(db).upsert({ key: name, value: JSON.stringify(value), updated_at_ms: nowMs })

export const forget = (db: Db, name: KeptName): Promise<void> => settingsRepository(db).remove(name)
