import { useState, useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../../lib/browser/storage.ts'

export const EDITOR_MODES = ['source', 'split', 'preview', 'rich'] as const
export type EditorMode = (typeof EDITOR_MODES)[number]

const KEY = 'editor_mode'

function readMode(): EditorMode {
  const stored = readStored(KEY)
  return EDITOR_MODES.find((mode) => mode === stored) ?? 'split'
}

const narrow = () => window.matchMedia('(max-width: 56.1875em)')

const useIsNarrow = () =>
  useSyncExternalStore(
    (listener) => {
      const query = narrow()
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => narrow().matches,
  )

/** Returns the mode, which is stored on this device. Narrow windows show the source instead of the split view. */
export function useEditorMode() {
  const [mode, setMode] = useState(readMode)
  const isNarrow = useIsNarrow()
  return {
    mode: mode === 'split' && isNarrow ? ('source' as const) : mode,
    isNarrow,
    setMode: (next: EditorMode) => {
      setMode(next)
      writeStored(KEY, next)
    },
  }
}
