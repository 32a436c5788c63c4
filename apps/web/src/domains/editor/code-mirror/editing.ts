import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { keymap, ViewPlugin } from '@codemirror/view'

/**
 * How long after Esc a Tab still leaves the editor, in ms. Any other key, except a modifier key, ends this time early.
 * The time is long enough for slow typists.
 */
const LEAVING_MS = 20_000

/** Lets Esc and then Tab leave the editor, unless Esc has closed a completion list. */
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

/** Key bindings of the editor, and undo. */
export const editing = [history(), leaving, keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab])]
