import { MIB } from '@dropleaf/contract'
import { openZip } from '../archive/zip.ts'
import { PreviewError } from '../preview-error.ts'
import type { PreviewSource } from '../preview-source.ts'

const PART_MAX_BYTES = 48 * MIB

/** A document that is made of many files: books, slides and texts of today are zip archives. */
export interface PackageFiles {
  readonly names: readonly string[]
  readonly read: (name: string) => Promise<Uint8Array<ArrayBuffer>>
  /** @throws {PreviewError} `damaged` where it is no XML */
  readonly readXml: (name: string) => Promise<Document>
}

/** Parts are read when they are asked for; what is the same is read once. */
export async function openPackage(source: PreviewSource, signal: AbortSignal): Promise<PackageFiles> {
  const zip = await openZip(source, signal)
  const read = async (name: string) => {
    const bytes = await zip.read(name, PART_MAX_BYTES)
    if (!bytes) throw new PreviewError('damaged', `${name} is missing.`)
    return bytes
  }
  return {
    names: zip.names,
    read,
    readXml: async (name) => {
      const xml = new DOMParser().parseFromString(new TextDecoder().decode(await read(name)), 'text/xml')
      if (xml.querySelector('parsererror')) throw new PreviewError('damaged', `${name} is no XML.`)
      return xml
    },
  }
}

/** A name as another part of the package writes it, from the beginning of the package. */
export function resolveName(from: string, name: string): string {
  const url = new URL(name, `https://package.invalid/${from.split('/').map(encodeURIComponent).join('/')}`)
  return url.hostname === 'package.invalid' ? decodeURIComponent(url.pathname.slice(1)) : ''
}

/** Elements by their name, whatever their prefix. */
export const elementsOf = (root: Document | Element, name: string): readonly Element[] => [
  ...root.getElementsByTagNameNS('*', name),
]
export const elementOf = (root: Document | Element, name: string): Element | undefined =>
  elementsOf(root, name)[0]
