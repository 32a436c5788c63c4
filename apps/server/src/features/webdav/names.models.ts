import type { StorageName } from '../fs/names.models.ts'

/** The name of a place of the file system. */
export const davNameOf = ({
  config,
  rest,
}: {
  config: { readonly id: string }
  rest: string
}): StorageName => ({
  configId: config.id,
  key: rest,
})

/** Key of the folder around a key; `null` for the top. */
export function parentKeyOf(key: string): string | null {
  return key === '' ? null : key.slice(0, Math.max(0, key.lastIndexOf('/')))
}

/** Names of the folders around a key, without their slashes, the top first. */
export function namesAround(key: string): string[] {
  if (key === '') return []
  const segments = key.split('/')
  return segments.map((_, depth) => segments.slice(0, depth).join('/'))
}

export const isBelowKey = (key: string, folder: string): boolean =>
  folder === '' ? key !== '' : key.startsWith(`${folder}/`)

/** Everything below a folder lies between these two, the first included: `0` is the sign after the slash. */
export const rangeBelow = (folder: string): { from: string; to: string | null } =>
  folder === '' ? { from: '', to: null } : { from: `${folder}/`, to: `${folder}0` }
