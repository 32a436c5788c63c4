import type { BasketItem } from '../../domains/transfers/archives/basket.ts'
import type { Packer } from '../../domains/transfers/archives/packing.ts'

export interface BasketGroup {
  readonly folder: string
  readonly items: readonly BasketItem[]
}

const folderOf = (path: string): string => path.replace(/\/$/, '').replace(/\/[^/]*$/, '') || '/'

/** Groups items by folder, in the order in which they were added. */
export function groupByFolder(items: readonly BasketItem[]): BasketGroup[] {
  const groups = new Map<string, BasketItem[]>()
  for (const item of items) {
    const folder = folderOf(item.path)
    groups.set(folder, [...(groups.get(folder) ?? []), item])
  }
  return [...groups].map(([folder, inside]) => ({ folder, items: inside }))
}

const LARGE_BYTES = 100 * 1024 * 1024
const HUGE_BYTES = 500 * 1024 * 1024

/** Returns the warning to show before the browser creates an archive. An archive of the server needs no warning. */
export function packingRisk(o: {
  packer: Packer
  totalBytes: number
  isInMemory: boolean
}): 'large' | 'huge' | 'memory' | null {
  if (o.packer === 'server' || o.totalBytes <= LARGE_BYTES) return null
  if (o.totalBytes <= HUGE_BYTES) return 'large'
  return o.isInMemory ? 'memory' : 'huge'
}
