import type { EditorAction } from '../editor-target.ts'

/** Keys of the actions, as CodeMirror and ProseMirror both write them. */
export const SHORTCUTS: readonly { readonly key: string; readonly action: EditorAction }[] = [
  { key: 'Mod-b', action: { type: 'bold' } },
  { key: 'Mod-i', action: { type: 'italic' } },
  { key: 'Mod-Shift-x', action: { type: 'strike' } },
  { key: 'Mod-e', action: { type: 'code' } },
  { key: 'Mod-Shift-h', action: { type: 'highlight' } },
  { key: 'Mod-Alt-0', action: { type: 'heading', level: 0 } },
  ...[1, 2, 3, 4, 5, 6].map((level) => ({
    key: `Mod-Alt-${level}`,
    action: { type: 'heading' as const, level },
  })),
  { key: 'Mod-Shift-7', action: { type: 'numbers' } },
  { key: 'Mod-Shift-8', action: { type: 'bullets' } },
  { key: 'Mod-Shift-9', action: { type: 'tasks' } },
  { key: 'Mod-Shift-.', action: { type: 'quote' } },
]

const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent)

/** Keys as a person reads them: `Ctrl+Shift+X`, or `⌘⇧X` on a Mac. */
export function readableKey(key: string): string {
  const parts = key.split('-').map((part) => (part.length === 1 ? part.toUpperCase() : part))
  if (!isMac()) return parts.map((part) => (part === 'Mod' ? 'Ctrl' : part)).join('+')
  const signs: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' }
  return parts.map((part) => signs[part] ?? part).join('')
}

const isSame = (one: EditorAction, other: EditorAction) => JSON.stringify(one) === JSON.stringify(other)

/** The keys of an action as a person reads them, or `null`. */
export function shortcutOf(action: EditorAction): string | null {
  const found = SHORTCUTS.find((shortcut) => isSame(shortcut.action, action))
  return found ? readableKey(found.key) : null
}
