import { useEffect, useRef } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import type { TextDocument } from '../document/text-document.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import '../../markdown/prose/prose.css'
import type { EditorWords } from '../code-mirror/code-mirror.ts'
import type { RichTarget } from '../editor-target.ts'
import { docOf, parseText, withLastBlanks } from './from-markdown.ts'
import { mountRich } from './rich-view.ts'
import { makeWriter } from './to-markdown.ts'
import './rich-editor.css'

/** Maximum length for the rich view, because typing in longer texts would be slow. */
const RICH_MAX_CHARACTERS = 300_000

interface RichEditorProps {
  document: TextDocument
  words: EditorWords
  onSubmit: () => void
  /** Passes the target of the toolbar, or `null` when the editor is removed. */
  onTarget: (target: RichTarget | null) => void
  onLink: () => void
}

function read(document: TextDocument) {
  const text = document.read()
  const parsed = withLastBlanks(parseText(text), text)
  const doc = docOf(parsed)
  return { doc, write: makeWriter(text, parsed, doc) }
}

/** Edits a text in rendered form. Changes the source only where the user edits. */
export default function RichEditor(props: RichEditorProps) {
  const { t } = useT()
  const isTooLong = props.document.read().length > RICH_MAX_CHARACTERS
  if (isTooLong) {
    return (
      <div className="dl-rich">
        <Banner tone="info">{t('editor.richTooLong')}</Banner>
      </div>
    )
  }
  return <Editor {...props} />
}

function Editor({ document, words, onSubmit, onTarget, onLink }: RichEditorProps) {
  const { t } = useT()
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef({ onSubmit, onLink })
  useEffect(() => {
    latest.current = { onSubmit, onLink }
  })
  useEffect(() => {
    if (!host.current) return undefined
    let { doc, write } = read(document)
    let isOwn = false
    const rich = mountRich({
      parent: host.current,
      doc,
      label: words.label,
      help: words.help,
      taskLabel: t('editor.task'),
      onSubmit: () => latest.current.onSubmit(),
      onLink: () => latest.current.onLink(),
      onChange: () => {
        isOwn = true
        document.publish(() => write(rich.getDoc()))
        isOwn = false
      },
    })
    const unsubscribe = document.subscribe(() => {
      if (isOwn) return
      ;({ doc, write } = read(document))
      rich.setDoc(doc)
    })
    onTarget(rich.target)
    return () => {
      // Copies the text, so that it can still be read after this component is removed.
      const text = document.read()
      document.publish(() => text)
      unsubscribe()
      onTarget(null)
      rich.destroy()
    }
  }, [document, words, onTarget, t])
  return <div ref={host} className="dl-rich" />
}
