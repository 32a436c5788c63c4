import { DATABASE_FILE } from '../../../config/data-dir-lock.ts'
import { SECRET_FILE, STORAGE_FOLDER } from './manifest.models.ts'

/**
 * Names of a server's data in the data folder. The database comes last, because without it the server serves nothing.
 */
export const USED_NAMES: readonly string[] = [
  STORAGE_FOLDER,
  SECRET_FILE,
  'thumbnails',
  `${DATABASE_FILE}-shm`,
  `${DATABASE_FILE}-wal`,
  `${DATABASE_FILE}-spare`,
  DATABASE_FILE,
]
