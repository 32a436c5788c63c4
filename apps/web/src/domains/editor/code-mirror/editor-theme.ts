import { EditorView } from '@codemirror/view'

/** Uses the page's custom properties, so that the editor follows both colour schemes without being rebuilt. */
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
