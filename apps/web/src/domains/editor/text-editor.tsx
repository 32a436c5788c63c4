import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { compositionEnd } from './early-field.ts'
import { keyMap } from '../../lib/keyboard/key-map.ts'
import { isKey } from '../../lib/keyboard/keys.ts'
import type { TextDocument } from './document/text-document.ts'
import type { EditorLook, MountedEditor } from './code-mirror/code-mirror.ts'
import styles from './text-editor.module.css'

interface TextEditorProps extends EditorLook {
  document: TextDocument
  /** Called on Ctrl/Cmd+Enter. */
  onSubmit: () => void
  takesFocus?: boolean
  /** Passes the editor to tools that load later, or `null` when the editor is removed. */
  onEditor?: (editor: MountedEditor | null) => void
}

/**
 * Once its code is loaded, the editor replaces the field at the first pause in typing (`PAUSE_MS`), or at the latest
 * after `PAUSE_AT_LATEST_MS`.
 */
const PAUSE_MS = 400
const PAUSE_AT_LATEST_MS = 5000

/**
 * Maximum length for the plain field. A textarea lays out its whole text before the page responds. For a long line,
 * this can take minutes. Longer texts show only their start, read-only, until the editor is mounted.
 */
const FIELD_CHARACTERS = 20_000
const isForEditorOnly = (text: string) => text.length > FIELD_CHARACTERS
const beginningOf = (text: string) => text.slice(0, FIELD_CHARACTERS)

/**
 * Resolves after a pause in typing.
 * @param lastTypedMs returns the time of the last input, in `performance.now()` time
 */
async function typingPause(lastTypedMs: () => number): Promise<void> {
  const latest = performance.now() + PAUSE_AT_LATEST_MS
  while (performance.now() - lastTypedMs() < PAUSE_MS && performance.now() < latest)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS / 4))
}

/** Replaces the field with the editor at the first pause in typing. */
function useMountedEditor(
  { document, isMarkdown, words, onSubmit, onEditor }: TextEditorProps,
  { host, field }: { host: RefObject<HTMLElement | null>; field: RefObject<HTMLTextAreaElement | null> },
) {
  const editor = useRef<MountedEditor | null>(null)
  const latest = useRef({ isMarkdown, words, onSubmit })
  const lastTyped = useRef(Number.NEGATIVE_INFINITY)
  const [isMounted, setMounted] = useState(false)

  useEffect(() => {
    latest.current = { isMarkdown, words, onSubmit }
    editor.current?.setLook({ isMarkdown, words })
  }, [isMarkdown, words, onSubmit])

  useEffect(() => {
    let isGone = false
    const mount = async () => {
      const { mountEditor } = await import('./code-mirror/code-mirror.ts')
      await typingPause(() => lastTyped.current)
      if (isGone || !host.current) return
      const onEditorSubmit = () => latest.current.onSubmit()
      const mounted = mountEditor({
        parent: host.current,
        document,
        look: latest.current,
        onSubmit: onEditorSubmit,
      })
      editor.current = mounted
      // Shows the editor in a separate task, because mounting and showing in one task would block input for too long.
      if (field.current) await compositionEnd(field.current)
      if (editor.current !== mounted) return
      mounted.follow()
      const replaced = field.current
      const hadFocus = replaced !== null && replaced === window.document.activeElement
      // Renders synchronously, so that no key press is lost between the field and the editor.
      flushSync(() => setMounted(true))
      if (hadFocus) mounted.focus({ start: replaced.selectionStart, end: replaced.selectionEnd })
      onEditor?.(mounted)
    }
    mount().catch(reportError)
    return () => {
      isGone = true
      onEditor?.(null)
      editor.current?.destroy()
      editor.current = null
    }
  }, [document, onEditor, host, field])
  const noteTyping = () => {
    lastTyped.current = performance.now()
  }
  return { isMounted, noteTyping }
}

/** Editor for a {@link TextDocument}. Shows a plain text field until the library is loaded, or if loading fails. */
export function TextEditor(props: TextEditorProps) {
  const { document, words, onSubmit, takesFocus = false } = props
  const host = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)

  useEffect(() => {
    if (takesFocus) field.current?.focus({ preventScroll: true })
  }, [takesFocus])

  const { isMounted, noteTyping } = useMountedEditor(props, { host, field })

  useEffect(
    () =>
      document.subscribe((isOutside) => {
        if (!isOutside || !field.current) return
        field.current.value = beginningOf(document.read())
        field.current.readOnly = isForEditorOnly(document.read())
      }),
    [document],
  )

  return (
    <div className={styles.editor}>
      <div ref={host} className={styles.host} hidden={!isMounted} />
      {!isMounted && (
        <textarea
          ref={field}
          className="dl-editor-field"
          aria-label={words.label}
          placeholder={words.placeholder}
          defaultValue={beginningOf(document.read())}
          readOnly={isForEditorOnly(document.read())}
          onChange={(event) => {
            const text = event.currentTarget.value
            noteTyping()
            document.publish(() => text)
          }}
          onKeyDown={(event) => {
            if (isKey(event, keyMap.editor.submit)) onSubmit()
          }}
        />
      )}
    </div>
  )
}
