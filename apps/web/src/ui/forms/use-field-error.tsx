import { type ReactNode, useRef, useState } from 'react'

interface Refusal {
  readonly text: string
  /** Whether the field already had the focus. The error must then be announced separately. */
  readonly isSpoken: boolean
}

/** Shows an error below a field, and focuses the field. */
export function useFieldError() {
  const field = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [count, setCount] = useState(0)
  // Screen readers announce repeated text only in a new element.
  const error: ReactNode = refusal && <span key={count}>{refusal.text}</span>
  return {
    refuse: (text: string) => {
      // Focusing the field announces the error, unless the field already has the focus.
      setRefusal({ text, isSpoken: document.activeElement === field.current })
      setCount((before) => before + 1)
      field.current?.focus()
    },
    clear: () => setRefusal(null),
    field,
    /** Props of a Mantine field. */
    said: { error, errorProps: { role: refusal?.isSpoken ? 'alert' : undefined } },
  }
}
