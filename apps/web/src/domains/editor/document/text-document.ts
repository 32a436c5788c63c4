/** A text that an editor changes and that other components observe. A key press does not copy the text. */
export interface TextDocument {
  readonly read: () => string
  /**
   * Whether the text is only white space. Called on each key press, so implementations avoid reading the whole text.
   */
  readonly isBlank: () => boolean
  /** Replaces the whole text from outside the editor. */
  readonly replace: (text: string) => void
  /** Called by the editor to report a change, with functions that read the text and test whether it is blank. */
  readonly publish: (read: () => string, isBlank?: () => boolean) => void
  /** `isOutside` is true after {@link replace} and false after {@link publish}. */
  readonly subscribe: (listener: (isOutside: boolean) => void) => () => void
}

interface Stored {
  /** Restores properties of the stored text that editors do not preserve, such as line endings. */
  readonly keepForm: (stored: string, edited: string) => string
  readonly text: string
}

/** @param stored the original of a text that already exists */
export function createTextDocument(initial: string, stored?: Stored): TextDocument {
  let text: string | null = initial
  let form = stored?.text ?? ''
  let source = () => initial
  let findBlank: (() => boolean) | undefined
  const listeners = new Set<(isOutside: boolean) => void>()
  const announce = (isOutside: boolean) => {
    for (const listener of listeners) listener(isOutside)
  }
  const read = () => {
    text ??= stored ? stored.keepForm(form, source()) : source()
    return text
  }
  return {
    read,
    isBlank: () => (text === null && findBlank ? findBlank() : read().trim() === ''),
    replace: (next) => {
      text = next
      form = next
      announce(true)
    },
    publish: (nextSource, isBlank) => {
      text = null
      source = nextSource
      findBlank = isBlank
      announce(false)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
