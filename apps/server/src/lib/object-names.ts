/** A name in a storage: a file's key, or a folder's without its slash; empty for the top of it. */
export interface StorageName {
  readonly configId: string
  readonly key: string
}

/** The name of what lies at a place: in a storage config, at a key without a slash at its end. */
export const nameAt = ({
  config,
  rest,
}: {
  readonly config: { readonly id: string }
  readonly rest: string
}): StorageName => ({ configId: config.id, key: rest })

const LAST_NUMBER = 10_000

/** The last segment of a key or path; of a folder without its slash. */
export function nameOf(key: string): string {
  const plain = key.endsWith('/') ? key.slice(0, -1) : key
  return plain.slice(plain.lastIndexOf('/') + 1)
}

/** What comes before the last segment, with its slash; empty at the top. */
export function parentOf(key: string): string {
  const plain = key.endsWith('/') ? key.slice(0, -1) : key
  return plain.slice(0, plain.lastIndexOf('/') + 1)
}

/** Names beside a taken one, in the order to try them: `a(1).txt`, `a(2).txt`, … A number that is there counts on. */
export function* numberedNames(name: string, { isFolder }: { isFolder: boolean }): Generator<string> {
  const dot = isFolder ? -1 : name.lastIndexOf('.')
  const stem = dot > 0 ? name.slice(0, dot) : name
  const extension = dot > 0 ? name.slice(dot) : ''
  const bare = stem.replace(/\(\d+\)$/, '')
  for (let number = 1; number < LAST_NUMBER; number += 1) yield `${bare}(${number})${extension}`
}

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
