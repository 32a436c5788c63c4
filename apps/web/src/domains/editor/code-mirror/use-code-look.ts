import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useState } from 'react'
import { readStored, writeStored } from '../../../lib/browser/storage.ts'
import type { MountedEditor } from './code-mirror.ts'
import { fill, NOTHING, setSlot } from './extension-slots.ts'

/** Returns a flag that is stored on this device, and a function that toggles the flag. */
function useStoredFlag(key: string, initial: boolean) {
  const [isOn, setOn] = useState(() => (readStored(key) ?? String(initial)) === 'true')
  const toggle = () => {
    setOn(!isOn)
    writeStored(key, String(!isOn))
  }
  return [isOn, toggle] as const
}

interface CodeLook {
  readonly editor: MountedEditor
  readonly isMarkdown: boolean
  /** Name of the file, which determines the language until the user selects one. */
  readonly filename: string
}

/** Language, line numbers and wrapping for texts that are not Markdown. */
export function useCodeLook({ editor, isMarkdown, filename }: CodeLook) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [names, setNames] = useState<readonly string[]>([])
  const [language, setLanguage] = useState('')
  const [hasNumbers, toggleNumbers] = useStoredFlag('editor_numbers', true)
  const [isWrapped, toggleWrap] = useStoredFlag('editor_wrap', true)

  useEffect(() => {
    const { view, codeSlot } = editor
    if (isMarkdown) {
      fill(view, codeSlot, NOTHING)
      return undefined
    }
    let isCurrent = true
    const apply = async () => {
      const { languageNames, languageOfFile, loadLanguage } = await import('./source-languages.ts')
      const name = chosen ?? languageOfFile(filename) ?? ''
      const colours = await loadLanguage(name)
      if (!isCurrent) return
      setNames(languageNames)
      setLanguage(name)
      setSlot(view, codeSlot, [colours, hasNumbers ? lineNumbers() : []])
    }
    // Ignores errors, because code stays readable without highlighting.
    apply().catch(() => undefined)
    return () => {
      isCurrent = false
    }
  }, [editor, isMarkdown, filename, chosen, hasNumbers])

  useEffect(() => {
    const { view, wrapSlot } = editor
    fill(view, wrapSlot, isMarkdown || isWrapped ? EditorView.lineWrapping : NOTHING)
  }, [editor, isMarkdown, isWrapped])

  return { names, language, choose: setChosen, hasNumbers, toggleNumbers, isWrapped, toggleWrap }
}
