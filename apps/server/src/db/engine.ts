import { SqliteAdapter } from 'kysely'
import type { Db } from '../schema.ts'
import type { Engine } from './database.ts'

export const engineOf = (db: Db): Engine =>
  db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres'
