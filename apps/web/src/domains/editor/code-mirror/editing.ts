import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { keymap, ViewPlugin } from '@codemirror/view'

/** How long after Esc a Tab leads out of the editor, in ms, unless another key comes between: hands may be slow. */
const LEAVING_MS = 20_000

/** Esc, then Tab leads out of the editor, also right after a letter; but not when Esc has closed a list of choices. */
const leaving = ViewPlugin.define(() => ({ isLeaving: false }), {
  eventObservers: {
    keydown({ key }, view) {
      this.isLeaving = key === 'Escape' && !view.contentDOM.hasAttribute('aria-activedescendant')
    },
    keyup({ key }, view) {
      if (key === 'Escape' && this.isLeaving) view.setTabFocusMode(LEAVING_MS)
    },
  },
})

/** The keys of an editor, and what undoes its changes. */
export const editing = [history(), leaving, keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab])]
