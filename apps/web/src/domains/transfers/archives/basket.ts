import { useSyncExternalStore } from 'react'
import { getSession, subscribeSession } from '../../session/session.ts'
import { readStoredJson, writeStored } from '../../../lib/browser/storage.ts'

/** A file or folder to download together with others. Items are stored per user and survive a reload. */
export interface BasketItem {
  readonly path: string
  readonly name: string
  readonly size: number
  readonly isDirectory: boolean
}

/** Maximum number of items in the basket. The server accepts more paths per archive. */
const ITEMS_MAX = 1000
const KEY = 'dropleaf-basket'

const ownerOf = (): string => {
  const session = getSession()
  return session.kind === 'apikey' ? `key:${session.info.id}` : session.kind
}

const isItem = (value: unknown): value is BasketItem => {
  const item = value as Partial<BasketItem> | null
  return (
    typeof item?.path === 'string' &&
    typeof item.name === 'string' &&
    typeof item.size === 'number' &&
    typeof item.isDirectory === 'boolean'
  )
}

function read(): readonly BasketItem[] {
  const stored = readStoredJson(KEY) as { owner?: unknown; items?: unknown } | null
  if (stored?.owner !== ownerOf() || !Array.isArray(stored.items)) return []
  return stored.items.filter(isItem)
}

let items: readonly BasketItem[] = read()
const listeners = new Set<() => void>()

function show(next: readonly BasketItem[]): void {
  items = next
  for (const listener of listeners) listener()
}

function keep(next: readonly BasketItem[]): void {
  writeStored(KEY, next.length === 0 ? null : JSON.stringify({ owner: ownerOf(), items: next }))
  show(next)
}

/** Called when another tab has changed the basket or the session has changed. */
const reread = () => show(read())
if (typeof window !== 'undefined') {
  window.addEventListener('storage', (event) => {
    if (event.key === KEY || event.key === null) reread()
  })
  subscribeSession(reread)
}

/** Whether a path is inside a folder that is in the basket. */
const isCovered = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path !== folder && path.startsWith(folder.endsWith('/') ? folder : `${folder}/`))

/**
 * Adds new items. Skips items that are in the basket or inside one of its folders, and items beyond `ITEMS_MAX`. A new
 * folder replaces items inside it.
 */
export function addToBasket(added: readonly BasketItem[]): { added: number; skipped: number } {
  const byPath = new Map(items.map((item) => [item.path, item]))
  const before = byPath.size
  let fresh = 0
  for (const item of added) {
    const folders = [...byPath.values()].filter((one) => one.isDirectory).map((one) => one.path)
    if (byPath.has(item.path) || isCovered(item.path, folders) || byPath.size >= ITEMS_MAX) continue
    if (item.isDirectory)
      for (const path of byPath.keys()) if (isCovered(path, [item.path])) byPath.delete(path)
    byPath.set(item.path, item)
    fresh += 1
  }
  if (fresh > 0 || byPath.size !== before) keep([...byPath.values()])
  return { added: fresh, skipped: added.length - fresh }
}

export function removeFromBasket(paths: readonly string[]): void {
  const gone = new Set(paths)
  keep(items.filter((item) => !gone.has(item.path)))
}

/** @returns the removed items, so that they can be restored */
export function clearBasket(): readonly BasketItem[] {
  const before = items
  keep([])
  return before
}

export const getBasket = (): readonly BasketItem[] => items

export const useBasket = (): readonly BasketItem[] =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getBasket,
    getBasket,
  )
