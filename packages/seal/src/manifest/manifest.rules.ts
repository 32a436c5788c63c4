import { findBundlePathProblems } from '@dropleaf/contract'
import { findGeometry } from '../objects/geometry.ts'
import { parseSalts } from '../objects/salts.ts'
import type { Manifest, ManifestObject } from './manifest.schema.ts'

interface Slice {
  readonly object: number
  readonly offset: number
  readonly size: number
}

/** Returns all slices in a manifest, each with a name for messages. */
function slicesOf({ page, items }: Manifest): (readonly [name: string, slice: Slice])[] {
  const slices = items.flatMap(({ thumb, ...item }, index) => [
    [`items.${index}`, item] as const,
    ...(thumb ? [[`items.${index}.thumb`, thumb] as const] : []),
  ])
  return page && 'object' in page ? [['page', page] as const, ...slices] : slices
}

function findObjectProblems(objects: readonly ManifestObject[]): string[] {
  const numbers = new Set<number>()
  const deks = new Set<string>()
  return objects.flatMap(({ n, dek, size, stored, k, salts }, index) => {
    const problems: string[] = []
    if (numbers.has(n)) problems.push('n')
    // If two objects had the same key, a storage could swap their parts.
    if (deks.has(dek)) problems.push('dek')
    numbers.add(n)
    deks.add(dek)
    const geometry = findGeometry({ storedBytes: stored, segmentsPerPart: k })
    if (geometry === null || geometry.plainBytes < size) problems.push('stored')
    else if (parseSalts(salts)?.length !== geometry.partCount) problems.push('salts')
    return problems.map((problem) => `objects.${index}.${problem}`)
  })
}

/** Finds slices that name no object of the manifest, exceed their object, or overlap with another slice. */
function findSliceProblems(manifest: Manifest): string[] {
  const sizes = new Map(manifest.objects.map(({ n, size }) => [n, size]))
  const problems: string[] = []
  const ends = new Map<number, number>()
  const slices = slicesOf(manifest).sort(
    ([, one], [, other]) => one.offset - other.offset || one.size - other.size,
  )
  for (const [name, { object, offset, size }] of slices) {
    const objectSize = sizes.get(object)
    if (objectSize === undefined) problems.push(`${name}.object`)
    else if (offset + size > objectSize) problems.push(`${name}.size`)
    else if (size > 0 && offset < (ends.get(object) ?? 0)) problems.push(`${name}.offset`)
    ends.set(object, Math.max(ends.get(object) ?? 0, offset + size))
  }
  return problems
}

/**
 * Returns the paths of the invalid fields of a manifest, such as `objects.0.stored` or `items.3.path`, and `empty` for
 * a manifest without a page and items. Decryption proves that the author had the key, but not that the contents are
 * valid.
 */
export function findManifestProblems(manifest: Manifest): string[] {
  const paths = findBundlePathProblems(manifest.items.map(({ path }) => path))
  return [
    ...(manifest.page === undefined && manifest.items.length === 0 ? ['empty'] : []),
    ...findObjectProblems(manifest.objects),
    ...[...paths.keys()].map((index) => `items.${index}.path`),
    ...findSliceProblems(manifest),
  ]
}
