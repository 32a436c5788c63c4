import { SqliteAdapter } from 'kysely'
import type { Db } from '../schema.ts'
import type { Engine } from './database.ts'

/** The engine of a connection or transaction. */
export const engineOf = (db: Db): Engine =>
  db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres'
