import { EditorView } from '@codemirror/view'

/** Theme of the editor. Uses the page's custom properties, so both colour schemes work without a rebuild. */
export const editorTheme = EditorView.theme({
  '&': {
    height: '100%',
    fontSize: 'var(--dl-type-reading)',
    color: 'var(--dl-text)',
    backgroundColor: 'transparent',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--dl-mono)',
    fontSize: 'var(--dl-type-body)',
    lineHeight: '1.65',
    overflow: 'auto',
  },
  '.cm-content': { padding: '12px 0', caretColor: 'var(--dl-text)' },
  '.cm-line': { padding: '0 16px' },
  '.cm-placeholder': { color: 'var(--dl-muted)' },
})
