import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { keymap } from '@codemirror/view'

/** The keys of an editor, and what undoes its changes. */
export const editing = [history(), keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab])]
