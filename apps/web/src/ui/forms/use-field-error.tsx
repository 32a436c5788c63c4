import { type ReactNode, useRef, useState } from 'react'

interface Refusal {
  readonly text: string
  /** The keyboard is at the field, and stays there: nothing else would say it. */
  readonly isSpoken: boolean
}

/** Why a field was not taken stands below it, and the keyboard is there to change it. */
export function useFieldError() {
  const field = useRef<HTMLInputElement>(null)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const [count, setCount] = useState(0)
  // The same words are only spoken again when they come anew.
  const error: ReactNode = refusal && <span key={count}>{refusal.text}</span>
  return {
    refuse: (text: string) => {
      // Who is sent to the field hears it there.
      setRefusal({ text, isSpoken: document.activeElement === field.current })
      setCount((before) => before + 1)
      field.current?.focus()
    },
    clear: () => setRefusal(null),
    field,
    /** Of a field of Mantine's. */
    said: { error, errorProps: { role: refusal?.isSpoken ? 'alert' : undefined } },
  }
}
