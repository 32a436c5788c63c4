import { useState, useSyncExternalStore } from 'react'
import { readStored, writeStored } from '../../lib/browser/storage.ts'

/** The views of a Markdown text in the editor. */
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

/** The mode, stored on this device. A narrow window shows the source instead of both sides. */
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
