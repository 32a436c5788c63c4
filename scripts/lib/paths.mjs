import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = path.resolve(fileURLToPath(import.meta.url), '../../..')

/** Returns the absolute path of a file in the repository. */
export const inRoot = (...segments) => path.join(root, ...segments)

/** Folder for locks and fingerprints that must survive `npm ci`. Git ignores the folder. */
export const cacheDirectory = inRoot('.cache')
