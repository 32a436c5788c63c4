/** Key of the drafts of the home page. */
export const HOME_DRAFT = 'home_draft'

/** The field for typing on the home page until the app is loaded. */
let field: HTMLTextAreaElement | null = null

export interface EarlyText {
  readonly text: string
  /** Caret or selection; `null` without the focus. */
  readonly selection: readonly [start: number, end: number] | null
}

export function openEarlyField(opened: HTMLTextAreaElement): void {
  field = opened
}

/** Returns the typed text, once. */
export function takeEarlyText(): EarlyText | null {
  if (!field) return null
  const { value, selectionStart, selectionEnd } = field
  const hasFocus = field === document.activeElement
  field = null
  return { text: value, selection: hasFocus ? [selectionStart, selectionEnd] : null }
}

/** Resolves when no composition is active in the field. */
export async function earlyFieldSettled(): Promise<void> {
  if (field !== null && field === document.activeElement) await compositionEnd(field)
}

/** Waits for the end of a composition: its character would be lost with the field. */
export async function compositionEnd(composing: HTMLTextAreaElement): Promise<void> {
  const state = { isComposing: false }
  const track = (event: Event) => {
    state.isComposing = event.type !== 'compositionend'
  }
  const types = ['compositionstart', 'compositionupdate', 'compositionend'] as const
  for (const type of types) composing.addEventListener(type, track)
  // A composition that began before these listeners were added is noticed only at its next event, so wait first.
  do await new Promise((resolve) => setTimeout(resolve, 50))
  while (state.isComposing)
  for (const type of types) composing.removeEventListener(type, track)
}
