import { useSyncExternalStore } from 'react'
import { writeStored } from '../../../lib/browser/storage.ts'
import { type ExplorerSettings, readSettings, SETTINGS_KEY } from './stored-settings.ts'

let current: ExplorerSettings | null = null
const listeners = new Set<() => void>()

export function getSettings(): ExplorerSettings {
  current ??= readSettings()
  return current
}

export function changeSettings(change: Partial<ExplorerSettings>): void {
  current = { ...getSettings(), ...change }
  writeStored(SETTINGS_KEY, JSON.stringify(current))
  for (const listener of listeners) listener()
}

export const useSettings = (): ExplorerSettings =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getSettings,
    getSettings,
  )
