import type { Needs } from '../../../context.ts'
import type { Db } from '../../../schema.ts'
import { settingsRepository } from './settings.repository.ts'

/** Names of values that the server itself stores in the settings table. */
export type StoredName = 'welcome' | 'samples' | 'first_login'

/** Reads a stored value; `undefined` if it is absent or not valid JSON. */
export async function readStoredValue(ctx: Needs<'db'>, name: StoredName): Promise<unknown> {
  const [row] = await settingsRepository(ctx.db).find([name])
  if (!row) return undefined
  try {
    return JSON.parse(row.value)
  } catch {
    return undefined
  }
}

export const storeValue = (
  db: Db,
  name: StoredName,
  { value, nowMs }: { value: object; nowMs: number },
): Promise<unknown> =>
  settingsRepository(db).upsert({ key: name, value: JSON.stringify(value), updated_at_ms: nowMs })

export const forget = (db: Db, name: StoredName): Promise<void> => settingsRepository(db).remove(name)
