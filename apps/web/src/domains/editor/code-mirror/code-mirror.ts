import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { keyMap } from '../../../lib/keyboard/key-map.ts'
import type { TextDocument } from '../document/text-document.ts'
import { editorTheme } from './editor-theme.ts'
import { NOTHING, setSlot } from './extension-slots.ts'

export interface EditorWords {
  readonly label: string
  readonly help: string
  readonly placeholder: string
}

export interface EditorLook {
  readonly isMarkdown: boolean
  readonly words: EditorWords
}

const describe = ({ words }: EditorLook) => [
  placeholder(words.placeholder),
  EditorView.contentAttributes.of({
    'aria-label': words.label,
    'aria-description': words.help,
    spellcheck: 'true',
    autocapitalize: 'sentences',
  }),
]

/** Loads the highlighting after the editor, so that typing does not wait for it. */
async function loadHighlighting(isMarkdown: boolean): Promise<Extension> {
  if (!isMarkdown) return []
  const { markdownHighlighting } = await import('./markdown-language.ts')
  return markdownHighlighting
}

/**
 * Returns the smallest single replacement that turns `before` into `after`, or `null` if the texts differ at most in
 * their line endings. With a small replacement, the caret keeps its position in the unchanged text.
 */
function differenceOf(before: string, after: string) {
  const text = after.replaceAll(/\r\n?/g, '\n')
  if (before === text) return null
  const shorter = Math.min(before.length, text.length)
  let from = 0
  while (from < shorter && before[from] === text[from]) from += 1
  let end = 0
  while (end < shorter - from && before.at(-1 - end) === text.at(-1 - end)) end += 1
  return { from, to: before.length - end, insert: text.slice(from, text.length - end) }
}

/** Whether the text is blank. Stops reading at the first non-blank character. */
function isBlankText(doc: Text): boolean {
  for (const line of doc.iterLines()) {
    if (line.trim() !== '') return false
  }
  return true
}

interface MountOptions {
  parent: HTMLElement
  document: TextDocument
  look: EditorLook
  onSubmit: () => void
}

export interface MountedEditor {
  readonly view: EditorView
  /** Slot for the tools, which load later. */
  readonly toolSlot: Compartment
  readonly wrapSlot: Compartment
  /** Slot for line numbers and the highlighting of a language; empty for Markdown. */
  readonly codeSlot: Compartment
  /** Applies changes that were made elsewhere while this editor was hidden. */
  readonly follow: () => void
  /** Focuses the editor and restores the caret or selection of the field that it replaces. */
  readonly focus: (selection: { readonly start: number; readonly end: number }) => void
  readonly setLook: (look: EditorLook) => void
  readonly destroy: () => void
}

/** Creates the slot for Markdown highlighting, which loads after the editor. */
function createHighlighting() {
  const slot = new Compartment()
  let isMarkdown = false
  const set = (view: EditorView, next: boolean) => {
    if (next === isMarkdown) return
    isMarkdown = next
    const apply = (extension: Extension) => {
      // The format can change again while the highlighting loads.
      if (next === isMarkdown) setSlot(view, slot, extension)
    }
    // If the highlighting cannot be loaded (offline, or a new version was deployed), the text stays uncoloured.
    loadHighlighting(next).then(apply, () => undefined)
  }
  return { slot, set }
}

const submitKey = (onSubmit: () => void) =>
  keymap.of([
    {
      key: keyMap.editor.submit[0],
      run: () => {
        onSubmit()
        return true
      },
    },
  ])

const publishTo = (document: TextDocument) =>
  EditorView.updateListener.of((update) => {
    if (!update.docChanged) return
    const { doc } = update.state
    document.publish(
      () => doc.toString(),
      () => isBlankText(doc),
    )
  })

export function mountEditor({ parent, document, look, onSubmit }: MountOptions): MountedEditor {
  const lookSlot = new Compartment()
  const highlighting = createHighlighting()
  const editingSlot = new Compartment()
  const toolSlot = new Compartment()
  const wrapSlot = new Compartment()
  const codeSlot = new Compartment()
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: document.read(),
      extensions: [
        toolSlot.of([]),
        submitKey(onSubmit),
        editingSlot.of([]),
        wrapSlot.of(EditorView.lineWrapping),
        codeSlot.of(NOTHING),
        editorTheme,
        lookSlot.of(describe(look)),
        highlighting.slot.of([]),
        publishTo(document),
      ],
    }),
  })
  highlighting.set(view, look.isMarkdown)
  const addEditing = async () => {
    const { editing } = await import('./editing.ts')
    setSlot(view, editingSlot, editing)
  }
  // Typing works before these extensions are loaded.
  addEditing().catch(reportError)
  // Applies outside changes as one transaction, which the user can undo in one step.
  const follow = () => {
    const changes = differenceOf(view.state.doc.toString(), document.read())
    if (changes) view.dispatch({ changes })
  }
  const unsubscribe = document.subscribe((isOutside) => {
    if (isOutside) follow()
  })
  return {
    view,
    toolSlot,
    wrapSlot,
    codeSlot,
    follow,
    focus({ start, end }) {
      const { length } = view.state.doc
      view.dispatch({ selection: { anchor: Math.min(start, length), head: Math.min(end, length) } })
      view.focus()
    },
    setLook: (next) => {
      setSlot(view, lookSlot, describe(next))
      highlighting.set(view, next.isMarkdown)
    },
    destroy: () => {
      unsubscribe()
      view.destroy()
    },
  }
}
