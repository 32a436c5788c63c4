/** A name in a storage: the key of a file, or of a folder without its trailing slash. The key of the root is empty. */
export interface StorageName {
  readonly configId: string
  readonly key: string
}

/** Returns the name of an object: its storage config, and its key without a trailing slash. */
export const nameAt = ({
  config,
  rest,
}: {
  readonly config: { readonly id: string }
  readonly rest: string
}): StorageName => ({ configId: config.id, key: rest })

/** Returns the last segment of a key or path, without the trailing slash of a folder. */
export function nameOf(key: string): string {
  const plain = key.endsWith('/') ? key.slice(0, -1) : key
  return plain.slice(plain.lastIndexOf('/') + 1)
}

/** Returns everything before the last segment, with the slash; empty at the root. */
export function parentOf(key: string): string {
  const plain = key.endsWith('/') ? key.slice(0, -1) : key
  return plain.slice(0, plain.lastIndexOf('/') + 1)
}

/** Returns the key of the parent folder, or `null` at the root. */
export function parentKeyOf(key: string): string | null {
  return key === '' ? null : key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/** Returns the names of all parent folders of a key, without trailing slashes, the root first. */
export function namesAround(key: string): string[] {
  if (key === '') return []
  const segments = key.split('/')
  return segments.map((_, depth) => segments.slice(0, depth).join('/'))
}

export const isBelowKey = (key: string, folder: string): boolean =>
  folder === '' ? key !== '' : key.startsWith(`${folder}/`)

/** Returns the key range of everything below a folder, with `from` inclusive. `0` is the character after the slash. */
export const rangeBelow = (folder: string): { from: string; to: string | null } =>
  folder === '' ? { from: '', to: null } : { from: `${folder}/`, to: `${folder}0` }
