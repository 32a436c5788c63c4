/** A name in a storage: a file's key, or a folder's without its slash; empty for the top of it. */
export interface DavName {
  readonly configId: string
  readonly key: string
}

/** The name of a place of the file system. */
export const davNameOf = ({ config, rest }: { config: { readonly id: string }; rest: string }): DavName => ({
  configId: config.id,
  key: rest,
})

/** Key of the folder around a key; `null` for the top. */
export function parentKeyOf(key: string): string | null {
  return key === '' ? null : key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/** Keys of the folders around a key, the top first. */
export function foldersAround(key: string): string[] {
  if (key === '') return []
  const segments = key.split('/')
  return segments.map((_, depth) => segments.slice(0, depth).join('/'))
}

export const isBelowKey = (key: string, folder: string): boolean =>
  folder === '' ? key !== '' : key.startsWith(`${folder}/`)

/** Everything below a folder lies between these two, the first included: `0` is the sign after the slash. */
export const rangeBelow = (folder: string): { from: string; to: string | null } =>
  folder === '' ? { from: '', to: null } : { from: `${folder}/`, to: `${folder}0` }
