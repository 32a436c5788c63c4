import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'

type Texts<Values> = { readonly [Field in keyof Values]?: string | null | false }

/**
 * What a field says moves what lies below it: while a mouse button or a finger is down that waits, so that what was pressed
 * is still there when it is let go.
 */
function onceReleased(work: () => void): void {
  if (document.querySelector(':active') === null) work()
  else window.addEventListener('mouseup', () => setTimeout(work), { once: true })
}

/** What a field of text needs. */
export interface TextField {
  readonly value: string
  readonly error: ReactNode
  readonly errorProps: { readonly role: 'alert' | undefined }
  /** With what happened in the field, or with its new text. */
  readonly onChange: (eventOrText: unknown) => void
  readonly onBlur: () => void
}

interface LiveFormOptions<Values> {
  initial: Values
  /** What to say at which field; nothing at a field that is fine. */
  findProblems: (values: Values) => Texts<Values>
}

export type LiveForm<Values extends Record<string, unknown>> = ReturnType<typeof useLiveForm<Values>>

/**
 * A form whose fields say what is wrong with them once they were left, and from then on with every key; all of them after a
 * save that could not be.
 */
export function useLiveForm<Values extends Record<string, unknown>>(options: LiveFormOptions<Values>) {
  const { initial, findProblems } = options
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const [spoken, setSpoken] = useState<string | null>(null)
  const see = (...fields: readonly string[]) => setSeen((before) => new Set([...before, ...fields]))
  const form = useForm<Values>({
    initialValues: initial,
    validateInputOnChange: true,
    validate: (values) =>
      Object.fromEntries(Object.entries(findProblems(values)).map(([field, text]) => [field, text || null])),
  })
  type Field = keyof Values & string
  return {
    values: form.values,
    set: <Name extends Field>(name: Name, value: Values[Name]) => form.setFieldValue(name, value as never),
    /** For what changes several fields: what is wrong with each of them is found anew. */
    setAll: (values: Partial<Values>) => {
      form.setValues(values)
      form.validate()
    },
    /** What the server says of a field stays until it is changed. The keyboard is there, to change it. */
    refuse: (name: Field, text: string) => {
      const node = form.getInputNode(name)
      // Where the keyboard is at the field already, nothing else would say it.
      setSpoken(node === document.activeElement ? text : null)
      form.setFieldError(name, text)
      see(name)
      node?.focus()
    },
    /** A field has something to say. */
    isWrong: Object.values(findProblems(form.values)).some(Boolean),
    errorOf: (name: Field) => (seen.has(name) ? form.errors[name] : undefined),
    text: (name: Field): TextField => ({
      ...(form.getInputProps(name) as Pick<TextField, 'value' | 'onChange'>),
      error: seen.has(name) ? form.errors[name] : undefined,
      errorProps: { role: spoken !== null && form.errors[name] === spoken ? 'alert' : undefined },
      onBlur: () =>
        onceReleased(() => {
          see(name)
          form.validateField(name)
        }),
    }),
    onSubmit: (save: (values: Values) => void) =>
      form.onSubmit(save, (errors) => {
        see(...Object.keys(initial))
        const first = Object.keys(initial).find((field) => Boolean(errors[field]))
        if (first !== undefined) form.getInputNode(first)?.focus()
      }),
  }
}
