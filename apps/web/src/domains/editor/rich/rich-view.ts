import { baseKeymap, chainCommands, exitCode } from 'prosemirror-commands'
import { history, redo, undo } from 'prosemirror-history'
import { inputRules, textblockTypeInputRule, wrappingInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { Node } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import { type Command, EditorState, Plugin } from 'prosemirror-state'
import { goToNextCell, tableEditing } from 'prosemirror-tables'
import { EditorView, type NodeViewConstructor } from 'prosemirror-view'
import { keyMap } from '../../../lib/keyboard/key-map.ts'
import type { RichTarget, TakeFiles } from '../editor-target.ts'
import { SHORTCUTS } from '../tools/shortcuts.ts'
import { joinedLines } from './joined-lines.ts'
import { withoutHandlers } from './pasted-html.ts'
import { commandOf, richState } from './rich-commands.ts'
import { schema } from './schema.ts'
import { enterInTable } from './table-keys.ts'
import { showRichPlaceholder, uploadPlaceholders } from './uploads-in-rich.ts'

const { nodes } = schema

/** Inserts a line break. Where Markdown allows only one line, the break is a `<br>` tag. */
const hardBreak: Command = (state, dispatch) => {
  const { type } = state.selection.$from.parent
  const source = type === nodes.paragraph ? '' : '<br>'
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create({ source })).scrollIntoView())
  return true
}

interface RichKeys {
  readonly onSubmit: () => void
  readonly onLink: () => void
}

const keys = ({ onSubmit, onLink }: RichKeys) =>
  keymap({
    ...Object.fromEntries(SHORTCUTS.map(({ key, action }) => [key, commandOf(action)])),
    [keyMap.editor.undo[0]]: undo,
    ...Object.fromEntries(keyMap.editor.redo.map((key) => [key, redo])),
    [keyMap.editor.submit[0]]: () => {
      onSubmit()
      return true
    },
    [keyMap.editor.link[0]]: () => {
      onLink()
      return true
    },
    Enter: chainCommands(enterInTable, splitListItem(nodes.list_item, { checked: null })),
    'Shift-Enter': chainCommands(exitCode, hardBreak),
    Tab: chainCommands(goToNextCell(1), sinkListItem(nodes.list_item)),
    'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(nodes.list_item)),
  })

/** Input rules that convert Markdown syntax while typing. */
const rules = () =>
  inputRules({
    rules: [
      textblockTypeInputRule(/^(#{1,6})\s$/, nodes.heading, (match) => ({ level: match[1]?.length ?? 1 })),
      textblockTypeInputRule(/^```([\w+#.-]*)\s$/, nodes.code_block, (match) => ({ info: match[1] ?? '' })),
      wrappingInputRule(/^\s*([-+*])\s$/, nodes.bullet_list, (match) => ({ mark: match[1] })),
      wrappingInputRule(/^(\d{1,9})([.)])\s$/, nodes.ordered_list, (match) => ({
        order: Number(match[1]),
        mark: match[2],
      })),
      wrappingInputRule(/^\s*>\s$/, nodes.blockquote),
    ],
  })

/** A list item. A task has a checkbox that reacts to clicks. */
const taskView =
  (label: string): NodeViewConstructor =>
  (node, view, getPos) => {
    const dom = document.createElement('li')
    if (node.attrs['checked'] === null)
      return { dom, contentDOM: dom, update: (next) => sameKind(next, node) }
    const box = document.createElement('input')
    box.type = 'checkbox'
    box.checked = node.attrs['checked'] === true
    box.contentEditable = 'false'
    box.setAttribute('aria-label', label)
    box.addEventListener('change', () => {
      const at = getPos()
      if (at !== undefined) view.dispatch(view.state.tr.setNodeAttribute(at, 'checked', box.checked))
    })
    const content = document.createElement('div')
    dom.className = 'dl-task'
    dom.append(box, content)
    return {
      dom,
      contentDOM: content,
      update: (next) => {
        if (!sameKind(next, node)) return false
        box.checked = next.attrs['checked'] === true
        return true
      },
      stopEvent: (event) => event.target === box,
    }
  }

const sameKind = (next: Node, before: Node) =>
  next.type === before.type && (next.attrs['checked'] === null) === (before.attrs['checked'] === null)

/**
 * Reports a moved caret to ProseMirror immediately. Browsers report the move only with the next frame, so a key that
 * is pressed earlier would act at the old position.
 */
function tellOfCaret({ dom }: EditorView, { isComposing }: KeyboardEvent): void {
  if (!isComposing) dom.ownerDocument.dispatchEvent(new Event('selectionchange'))
}

interface RichViewOptions extends RichKeys {
  readonly parent: HTMLElement
  readonly doc: Node
  readonly label: string
  readonly help: string
  readonly taskLabel: string
  readonly onChange: () => void
}

/** Passes pasted and dropped files to a handler, once the handler is set. */
function createFileIntake() {
  let takeFiles: TakeFiles | null = null
  const take = (data: DataTransfer | null, at: number, isDrop: boolean): boolean => {
    const files = [...(data?.files ?? [])]
    // When the user copies a part of a page, the clipboard can also contain an image of that part. Files are
    // therefore ignored if the clipboard contains plain text.
    const isText = !isDrop && data?.getData('text/plain') !== ''
    if (files.length === 0 || isText || !takeFiles) return false
    takeFiles(files, at, isDrop)
    return true
  }
  return {
    setTakeFiles: (next: TakeFiles | null) => {
      takeFiles = next
    },
    handlePaste: (view: EditorView, event: ClipboardEvent) =>
      take(event.clipboardData, view.state.selection.head, false),
    handleDrop: (view: EditorView, event: DragEvent) => {
      const place = view.posAtCoords({ left: event.clientX, top: event.clientY })
      const isTaken = take(event.dataTransfer, place?.pos ?? view.state.selection.head, true)
      if (isTaken) event.preventDefault()
      return isTaken
    },
  }
}

/** Creates a rich editor in `parent`, and the target for the toolbar. */
export function mountRich(options: RichViewOptions) {
  const listeners = new Set<() => void>()
  const tell = new Plugin({
    view: () => ({
      update: () => {
        last = richState(view.state)
        for (const listener of listeners) listener()
      },
    }),
  })
  const files = createFileIntake()
  const stateOf = (doc: Node) =>
    EditorState.create({
      doc,
      plugins: [
        rules(),
        keys(options),
        keymap(baseKeymap),
        history(),
        tableEditing(),
        uploadPlaceholders(),
        joinedLines(),
        tell,
      ],
    })
  const view: EditorView = new EditorView(options.parent, {
    state: stateOf(options.doc),
    attributes: {
      class: 'dl-prose',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': options.label,
      'aria-description': options.help,
    },
    nodeViews: { list_item: taskView(options.taskLabel) },
    handleDOMEvents: { keydown: tellOfCaret },
    transformPastedHTML: withoutHandlers,
    handlePaste: files.handlePaste,
    handleDrop: files.handleDrop,
    dispatchTransaction(transaction) {
      view.updateState(view.state.apply(transaction))
      if (transaction.docChanged) options.onChange()
    },
  })
  let last = richState(view.state)
  const target: RichTarget = {
    setTakeFiles: files.setTakeFiles,
    showSign: (at, file) => showRichPlaceholder(view, at, file),
    run: (action) => {
      commandOf(action)(view.state, (transaction) => view.dispatch(transaction), view)
      view.focus()
    },
    getState: () => last,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    selectedText: () => {
      const { from, to } = view.state.selection
      return view.state.doc.textBetween(from, to, '\n')
    },
    focus: () => view.focus(),
  }
  return {
    target,
    getDoc: () => view.state.doc,
    setDoc: (doc: Node) => view.updateState(stateOf(doc)),
    destroy: () => view.destroy(),
  }
}
