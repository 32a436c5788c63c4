import { manage, table } from './frame.ts'
import { keys } from './keys.ts'
import { mounts } from './mounts.ts'
import { settings } from './settings.ts'

/** The words of the admin panel. */
export const adminWords = { manage, table, mounts, keys, settings }
