/** A text that an editor shows and others follow, without being copied at every key press. */
export interface TextDocument {
  readonly read: () => string
  /** Sets the whole text from outside the editor. */
  readonly replace: (text: string) => void
  /** For the editor: the text has changed, and this is how to get it. */
  readonly publish: (read: () => string) => void
  /** `isOutside` tells changes by {@link replace} from typing. */
  readonly subscribe: (listener: (isOutside: boolean) => void) => () => void
}

export function createTextDocument(initial: string): TextDocument {
  let text: string | null = initial
  let source = () => initial
  const listeners = new Set<(isOutside: boolean) => void>()
  const announce = (isOutside: boolean) => {
    for (const listener of listeners) listener(isOutside)
  }
  return {
    read: () => {
      text ??= source()
      return text
    },
    replace: (next) => {
      text = next
      announce(true)
    },
    publish: (read) => {
      text = null
      source = read
      announce(false)
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
