import { readStoredJson, writeStored } from '../../lib/storage.ts'

const KEY = 'fileSearchHistory'
const KEPT = 10

/** What was searched for and led somewhere, newest first. */
export function readHistory(): string[] {
  const stored = readStoredJson(KEY)
  return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string').slice(0, KEPT) : []
}

export function rememberSearch(text: string): string[] {
  const trimmed = text.trim()
  const kept = [trimmed, ...readHistory().filter((one) => one !== trimmed)].slice(0, KEPT)
  writeStored(KEY, JSON.stringify(kept))
  return kept
}

export function clearHistory(): void {
  writeStored(KEY, null)
}
