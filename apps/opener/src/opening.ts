import {
  createSealedSource,
  derivePassword,
  type Manifest,
  type ManifestItem,
  openManifest,
  openPortable,
  parseLinkKey,
  type PortableCopy,
  PortableError,
  SealError,
  type SealedSource,
  sliceSource,
  isTampering,
  unlockShare,
} from '@dropleaf/seal'
import type { TextKey } from './texts.ts'

/** An error with a text for the screen. */
export class OpenerError extends Error {
  override readonly name = 'OpenerError'
  readonly text: TextKey
  readonly params: Readonly<Record<string, string>>

  constructor(text: TextKey, params: Readonly<Record<string, string>> = {}, cause?: unknown) {
    super(text, { cause })
    this.text = text
    this.params = params
  }
}

function textOfSeal(error: SealError): TextKey {
  const { code } = error
  if (code === 'key.ending') return 'key.characters'
  if (code === 'key.missing' || code === 'key.length' || code === 'key.characters') return code
  if (code === 'password.missing') return code
  if (code === 'kdf.refused') return 'kdf'
  if (code === 'manifest.version') return 'version'
  return isTampering(error) ? 'tampered' : 'invalid'
}

/** Converts any error to an error with a text for the screen. */
export function inWords(error: unknown): OpenerError {
  if (error instanceof OpenerError) return error
  if (error instanceof PortableError)
    return error.code === 'copy.version'
      ? new OpenerError('version', {}, error)
      : new OpenerError(error.code, { file: error.file }, error)
  if (error instanceof SealError)
    return error.code === 'object.unreachable'
      ? inWords(error.cause)
      : new OpenerError(textOfSeal(error), {}, error)
  return new OpenerError('failed', { detail: error instanceof Error ? error.message : String(error) }, error)
}

export interface OpenedShare {
  readonly title: string | null
  /** `null` if the share has no text. */
  readonly text: string | null
  readonly items: readonly ManifestItem[]
  sourceOf(item: Slice): SealedSource
}

type Slice = Pick<ManifestItem, 'object' | 'offset' | 'size'>

export const readCopy = openPortable

async function decrypt(copy: PortableCopy, key: string, password: string): Promise<Manifest> {
  const { id: bundleId, revision, salts, sealedManifest: sealed } = copy
  const secret = parseLinkKey(key.replace(/^.*#/s, ''))
  const given = password === '' ? null : password
  const { manifestKey } = await unlockShare({ secret, salts, password: given, derivePassword })
  try {
    return await openManifest({ sealed, manifestKey, place: { bundleId, revision, salts } })
  } catch (error) {
    if (!(error instanceof SealError) || error.code !== 'manifest.refused') throw error
    throw new OpenerError(salts.kdf === null ? 'wrongKey' : 'wrongPassword', {}, error)
  }
}

/** Opens a copy with its key and password. @throws {OpenerError}, `SealError` or `PortableError` */
export async function openShare(
  copy: PortableCopy,
  { key, password }: { readonly key: string; readonly password: string },
): Promise<OpenedShare> {
  const manifest = await decrypt(copy, key, password)
  const objects = new Map(manifest.objects.map((object) => [object.n, object]))
  const sources = new Map<number, SealedSource>()
  const sourceOf = (slice: Slice): SealedSource => {
    const object = objects.get(slice.object)
    if (!object) throw new OpenerError('invalid')
    const source = sources.get(object.n) ?? createSealedSource(object, copy.readRangeOf(object.n))
    sources.set(object.n, source)
    return sliceSource(source, slice)
  }
  const { page, title = null, items } = manifest
  const readText = async () => {
    if (!page) return null
    if ('text' in page) return page.text
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await sourceOf(page).read(0, page.size))
  }
  return { title, text: await readText(), items, sourceOf }
}
