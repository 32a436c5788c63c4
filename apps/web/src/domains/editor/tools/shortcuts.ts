import { keyMap } from '../../../lib/keyboard/key-map.ts'
import { readableKey } from '../../../lib/keyboard/keys.ts'
import type { EditorAction } from '../editor-target.ts'

const { editor } = keyMap

/** Key bindings for actions, in the notation of CodeMirror and ProseMirror. */
export const SHORTCUTS: readonly { readonly key: string; readonly action: EditorAction }[] = [
  { key: editor.bold[0], action: { type: 'bold' } },
  { key: editor.italic[0], action: { type: 'italic' } },
  { key: editor.strike[0], action: { type: 'strike' } },
  { key: editor.code[0], action: { type: 'code' } },
  { key: editor.highlight[0], action: { type: 'highlight' } },
  { key: editor.paragraph[0], action: { type: 'heading', level: 0 } },
  ...editor.heading.map((key, index) => ({
    key,
    action: { type: 'heading' as const, level: index + 1 },
  })),
  { key: editor.numbers[0], action: { type: 'numbers' } },
  { key: editor.bullets[0], action: { type: 'bullets' } },
  { key: editor.tasks[0], action: { type: 'tasks' } },
  { key: editor.quote[0], action: { type: 'quote' } },
]

const isSame = (one: EditorAction, other: EditorAction) => JSON.stringify(one) === JSON.stringify(other)

/** Returns the keys of an action in readable form, or `null`. */
export function shortcutOf(action: EditorAction): string | null {
  const found = SHORTCUTS.find((shortcut) => isSame(shortcut.action, action))
  return found ? readableKey(found.key) : null
}
