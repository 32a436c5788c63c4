/** Where drafts of the home page are kept. */
export const HOME_DRAFT = 'home_draft'

/** The field that takes what is typed on the home page until the app is there. */
let field: HTMLTextAreaElement | null = null

export interface EarlyText {
  readonly text: string
  /** Where the cursor stood, or what was chosen; `null` without the focus. */
  readonly selection: readonly [start: number, end: number] | null
}

export function openEarlyField(opened: HTMLTextAreaElement): void {
  field = opened
}

/** What was typed. It can be taken once. */
export function takeEarlyText(): EarlyText | null {
  if (!field) return null
  const { value, selectionStart, selectionEnd } = field
  const hasFocus = field === document.activeElement
  field = null
  return { text: value, selection: hasFocus ? [selectionStart, selectionEnd] : null }
}

/** Resolves when nothing is being composed in the field that waits, if there is one. */
export async function earlyFieldSettled(): Promise<void> {
  if (field !== null && field === document.activeElement) await compositionEnd(field)
}

/** A character that is being composed would be lost if its field went away. */
export async function compositionEnd(composing: HTMLTextAreaElement): Promise<void> {
  const state = { isComposing: false }
  const track = (event: Event) => {
    state.isComposing = event.type !== 'compositionend'
  }
  const types = ['compositionstart', 'compositionupdate', 'compositionend'] as const
  for (const type of types) composing.addEventListener(type, track)
  // A composition that began earlier shows itself by its next event.
  do await new Promise((resolve) => setTimeout(resolve, 50))
  while (state.isComposing)
  for (const type of types) composing.removeEventListener(type, track)
}
