import { useEffect, useMemo, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { languageOf } from '../../../locales/languages.ts'
import type { MountedEditor } from './code-mirror.ts'
import { setSlot } from './extension-slots.ts'
import { createSourceTarget } from './source-target.ts'
import { type Incoming, sourceTools } from './source-tools.ts'

interface SourceToolsInput {
  readonly editor: MountedEditor
  readonly isMarkdown: boolean
  readonly incoming: Incoming
  readonly onLink: () => void
}

/**
 * Adds the tools' keys and commands to the editor.
 * @returns the target of the toolbar, and the element of the search panel while the panel is open.
 */
export function useSourceTools({ editor, isMarkdown, incoming, onLink }: SourceToolsInput) {
  const { t, language } = useT()
  const [panel, setPanel] = useState<HTMLElement | null>(null)
  const source = useMemo(() => createSourceTarget(editor.view), [editor])
  const latest = useRef({ incoming, onLink })
  useEffect(() => {
    latest.current = { incoming, onLink }
  })
  useEffect(() => {
    const { view, toolSlot } = editor
    const tools = sourceTools({
      target: source.target,
      isMarkdown,
      emojiNames: languageOf(language).emojiNames,
      phrases: {
        'current match': t('editor.find.current'),
        'on line': t('editor.find.onLine'),
        'replaced match on line $': t('editor.find.replacedOne', { line: '$' }),
        'replaced $ matches': t('editor.find.replaced', { number: '$' }),
      },
      onPanel: setPanel,
      onLink: () => latest.current.onLink(),
      incoming: {
        onFiles: (...files) => latest.current.incoming.onFiles(...files),
        onHtml: (...texts) => latest.current.incoming.onHtml(...texts),
      },
    })
    // Runs in a separate task, so that setting the extensions does not prolong the task of the current rendering.
    const turn = setTimeout(() => setSlot(view, toolSlot, [source.extension, tools]), 0)
    return () => clearTimeout(turn)
  }, [editor, source, isMarkdown, language, t])
  useEffect(() => source.destroy, [source])
  return { target: source.target, panel }
}
