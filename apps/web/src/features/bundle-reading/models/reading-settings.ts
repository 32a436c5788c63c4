import type { ListOrder, ListSort } from '@dropleaf/contract'
import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'
import type { ItemOrder } from './bundle-tree.ts'

/** These lists are declared here, because the early page does not load the contract's schemas. */
export const ITEM_SORTS: readonly ListSort[] = ['name', 'size', 'modified']
export const ITEM_ORDERS: readonly ListOrder[] = ['asc', 'desc']

export const BUNDLE_VIEWS = ['list', 'gallery'] as const
export type BundleView = (typeof BUNDLE_VIEWS)[number]

/** Display settings of bundles, stored on this device. */
export interface ReadingSettings extends ItemOrder {
  readonly view: BundleView
}

const KEY = 'dropleaf.bundle-view'

const oneOf = <T>(choices: readonly T[], value: unknown): T =>
  choices.includes(value as T) ? (value as T) : (choices[0] as T)

/** Validates stored settings. Replaces an invalid setting by its default. */
export function parseReadingSettings(stored: unknown): ReadingSettings {
  const value = (typeof stored === 'object' && stored !== null ? stored : {}) as Record<string, unknown>
  return {
    view: oneOf(BUNDLE_VIEWS, value['view']),
    sort: oneOf(ITEM_SORTS, value['sort']),
    order: oneOf(ITEM_ORDERS, value['order']),
  }
}

let current: ReadingSettings | null = null
const listeners = new Set<() => void>()

export function readingSettings(): ReadingSettings {
  current ??= parseReadingSettings(readStoredJson(KEY))
  return current
}

export function changeReadingSettings(change: Partial<ReadingSettings>): void {
  current = { ...readingSettings(), ...change }
  writeStored(KEY, JSON.stringify(current))
  for (const listener of listeners) listener()
}

export function onReadingSettings(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
