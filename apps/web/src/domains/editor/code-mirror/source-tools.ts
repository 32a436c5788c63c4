import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { openSearchPanel, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import type { EditorTarget } from '../editor-target.ts'
import type { EmojiNames } from '../dialogs/emoji.ts'
import { findExtension } from '../tools/find-panel.tsx'
import { lineDirections } from './line-directions.ts'
import { pasteAddress, sourceKeys } from './source-keys.ts'
import { uploadsField } from '../uploads/uploads-in-text.ts'

export interface Incoming {
  /** Handles pasted or dropped files. Returns `false` to leave the files to the editor. */
  readonly onFiles: (files: readonly File[], at: number, isDrop: boolean) => boolean
  /** Handles pasted text with formatting. Returns `false` to leave the text to the editor. */
  readonly onHtml: (html: string, text: string) => boolean
}

interface SourceToolsOptions {
  readonly target: EditorTarget
  readonly isMarkdown: boolean
  readonly emojiNames: EmojiNames
  /** Translated phrases of the search panel for screen readers. */
  readonly phrases: Record<string, string>
  readonly onPanel: (dom: HTMLElement | null) => void
  readonly onLink: () => void
  readonly incoming: Incoming
}

const EMOJI_QUERY = /(?<![\p{L}\p{N}:/])[:：][\p{L}\p{N}_+-]{1,30}$/u

/** Completes emoji. Loads the emoji data at the first completion. */
const emojiCompletion = (names: EmojiNames) =>
  autocompletion({
    icons: false,
    override: [
      async (context) => {
        if (!context.matchBefore(EMOJI_QUERY)) return null
        const { completeEmoji } = await import('../dialogs/emoji.ts')
        return completeEmoji(context, names)
      },
    ],
  })

/** Whether the text was copied from VS Code, which copies it as highlighted HTML. Users expect plain text. */
const isFromCode = (data: DataTransfer) => data.types.some((type) => type.startsWith('vscode'))

const FORMATTED = /<(?:h[1-6]|strong|b|em|i|a|ul|ol|table|blockquote|img|pre|code|del|s)[\s>]/i

function take(view: EditorView, data: DataTransfer, { isMarkdown, incoming }: SourceToolsOptions): boolean {
  const text = data.getData('text/plain')
  if (data.files.length > 0 && text === '') {
    return incoming.onFiles([...data.files], view.state.selection.main.head, false)
  }
  if (!isMarkdown) return false
  if (pasteAddress(view, text)) return true
  const html = data.getData('text/html')
  const isFormatted = FORMATTED.test(html) && !isFromCode(data)
  return isFormatted && incoming.onHtml(html, text)
}

const handlers = (options: SourceToolsOptions) =>
  EditorView.domEventHandlers({
    paste: (event, view) => {
      const isTaken = event.clipboardData !== null && take(view, event.clipboardData, options)
      if (isTaken) event.preventDefault()
      return isTaken
    },
    dragover: (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
      return false
    },
    drop: (event, view) => {
      const files = [...(event.dataTransfer?.files ?? [])]
      if (files.length === 0) return false
      event.preventDefault()
      const at = view.posAtCoords({ x: event.clientX, y: event.clientY }) ?? view.state.selection.main.head
      return options.incoming.onFiles(files, at, true)
    },
  })

const look = EditorView.theme({
  '.cm-panels': { backgroundColor: 'transparent', color: 'inherit' },
  '.cm-panels-top': { borderBottom: '0' },
  '.cm-searchMatch': { backgroundColor: 'var(--dl-warn-soft)', outline: '1px solid var(--dl-warn)' },
  '.cm-searchMatch.cm-searchMatch-selected': { backgroundColor: 'var(--dl-accent-soft)' },
  '.cm-tooltip': {
    border: '1px solid var(--dl-line)',
    borderRadius: 'var(--dl-radius)',
    backgroundColor: 'var(--dl-surface)',
    color: 'var(--dl-text)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--dl-font)',
    fontSize: 'var(--dl-type-body)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '5px 12px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    backgroundColor: 'var(--dl-accent-soft)',
    color: 'var(--dl-text)',
  },
  '.cm-gutters': {
    border: '0',
    backgroundColor: 'transparent',
    color: 'var(--dl-muted)',
    fontSize: 'var(--dl-type-small)',
  },
  // Matches the line height of the text.
  '.cm-lineNumbers .cm-gutterElement': { lineHeight: '24.75px' },
})

export function sourceTools(options: SourceToolsOptions): Extension {
  const { isMarkdown, target, onLink } = options
  return [
    isMarkdown ? [sourceKeys({ target, onLink }), emojiCompletion(options.emojiNames)] : [],
    keymap.of([
      ...(isMarkdown ? completionKeymap : []),
      { key: 'Mod-Alt-f', run: openSearchPanel },
      ...searchKeymap.filter(({ key }) => key !== 'Alt-g'),
    ]),
    findExtension(options.onPanel),
    EditorState.phrases.of(options.phrases),
    uploadsField,
    lineDirections,
    handlers(options),
    look,
  ]
}
