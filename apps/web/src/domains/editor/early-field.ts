/** Name of the home page's drafts. */
export const HOME_DRAFT = 'home_draft'

/** Text field of the home page, used until the app is loaded. */
let field: HTMLTextAreaElement | null = null

export interface EarlyText {
  readonly text: string
  /** Caret or selection; `null` if the field is not focused. */
  readonly selection: readonly [start: number, end: number] | null
}

export function openEarlyField(opened: HTMLTextAreaElement): void {
  field = opened
}

/** Returns the typed text and discards the reference to the field, so a second call returns `null`. */
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

/** Waits for the end of a composition. If the field were removed earlier, the composed characters would be lost. */
export async function compositionEnd(composing: HTMLTextAreaElement): Promise<void> {
  const state = { isComposing: false }
  const track = (event: Event) => {
    state.isComposing = event.type !== 'compositionend'
  }
  const types = ['compositionstart', 'compositionupdate', 'compositionend'] as const
  for (const type of types) composing.addEventListener(type, track)
  // A composition that began before the listeners were added is detected only at its next event. The loop therefore
  // waits before its first check.
  do await new Promise((resolve) => setTimeout(resolve, 50))
  while (state.isComposing)
  for (const type of types) composing.removeEventListener(type, track)
}
