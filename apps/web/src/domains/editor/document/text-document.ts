/** A text that an editor shows and others follow, without being copied at every key press. */
export interface TextDocument {
  readonly read: () => string
  /** Whether there is anything but blanks; costs less than reading the text, which is asked for at every key. */
  readonly isBlank: () => boolean
  /** Sets the whole text from outside the editor. */
  readonly replace: (text: string) => void
  /** For the editor: the text has changed, and this is how to get it, and how to find out whether it is blank. */
  readonly publish: (read: () => string, isBlank?: () => boolean) => void
  /** `isOutside` tells changes by {@link replace} from typing. */
  readonly subscribe: (listener: (isOutside: boolean) => void) => () => void
}

interface Stored {
  /** Of a text that is stored already: writes what was typed with what editors do not keep of it. */
  readonly keepForm: (stored: string, edited: string) => string
  readonly text: string
}

/** @param stored of a text that is being changed. */
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
