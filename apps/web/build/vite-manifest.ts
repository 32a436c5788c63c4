import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

export const DIST: string = join(import.meta.dirname, '../dist')

export interface Chunk {
  readonly file: string
  readonly name?: string
  readonly src?: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly dynamicImports?: readonly string[]
  readonly css?: readonly string[]
}
export type Manifest = Readonly<Record<string, Chunk>>

export const readManifest = async (): Promise<Manifest> =>
  JSON.parse(await readFile(join(DIST, '.vite/manifest.json'), 'utf8')) as Manifest

/** Entry module of the app. Several pages import this module, so the bundler can list it under any of these pages. */
export const APP = 'src/main.tsx'

export const findChunk = (manifest: Manifest, key: string): Chunk | undefined =>
  manifest[key] ??
  (key === APP
    ? (Object.values(manifest).find(({ name, file }) => name === 'main' && file.endsWith('.js')) ??
      manifest['index.html'])
    : undefined)

export type Encoding = 'br' | 'gz'

/** Transfer size of a file in `dist`, in bytes. If the file has no compressed version, returns its full size. */
export async function sentBytes(file: string, encoding: Encoding): Promise<number> {
  const path = join(DIST, file)
  const compressed = await stat(`${path}.${encoding}`).catch(() => null)
  return compressed?.size ?? (await stat(path)).size
}
