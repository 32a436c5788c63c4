import { type ReactNode, useRef, useState } from 'react'

interface Refusal {
  readonly text: string
  /** The field already has the focus: nothing else would announce the error. */
  readonly isSpoken: boolean
}

/** Shows an error below a field, and focuses the field. */
export function useFieldError() {
  const field = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [count, setCount] = useState(0)
  // Repeated text is only announced with a new element.
  const error: ReactNode = refusal && <span key={count}>{refusal.text}</span>
  return {
    refuse: (text: string) => {
      // Focusing the field announces the error.
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
