import { MIB } from '@dropleaf/contract'
import { openZip } from '../archive/zip.ts'
import { PreviewError } from '../preview-error.ts'
import type { PreviewSource } from '../preview-source.ts'

const PART_MAX_BYTES = 48 * MIB

/** A document that consists of several files in a zip archive, such as a book, slides or a modern office document. */
export interface PackageFiles {
  readonly names: readonly string[]
  /** @throws {PreviewError} `damaged` if the file is missing, and the errors of `ZipFiles.read` */
  readonly read: (name: string) => Promise<Uint8Array<ArrayBuffer>>
  /** @throws {PreviewError} `damaged` if the file is not XML, and the errors of {@link PackageFiles.read} */
  readonly readXml: (name: string) => Promise<Document>
}

/**
 * Opens a package. Entries are read on demand and not cached.
 * @throws the errors of {@link openZip}
 */
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

/**
 * Resolves a name that an entry of the package uses to refer to another entry. Returns an empty string for a URL
 * outside the package.
 */
export function resolveName(from: string, name: string): string {
  const url = new URL(name, `https://package.invalid/${from.split('/').map(encodeURIComponent).join('/')}`)
  return url.hostname === 'package.invalid' ? decodeURIComponent(url.pathname.slice(1)) : ''
}

/** Returns the elements with the given local name, in any namespace. */
export const elementsOf = (root: Document | Element, name: string): readonly Element[] => [
  ...root.getElementsByTagNameNS('*', name),
]
export const elementOf = (root: Document | Element, name: string): Element | undefined =>
  elementsOf(root, name)[0]
