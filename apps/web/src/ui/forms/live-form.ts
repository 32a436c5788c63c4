import { useForm } from '@mantine/form'
import { type ReactNode, useState } from 'react'

type Texts<Values> = { readonly [Field in keyof Values]?: string | null | false }

/**
 * Delays work until the pressed mouse button or finger is released. Validation moves the content below a field, but the
 * pressed element must stay in place.
 */
function onceReleased(work: () => void): void {
  if (document.querySelector(':active') === null) work()
  else window.addEventListener('mouseup', () => setTimeout(work), { once: true })
}

/** Props of a text field. */
export interface TextField {
  readonly value: string
  readonly error: ReactNode
  readonly errorProps: { readonly role: 'alert' | undefined }
  /** Receives an event of the field, or its text. */
  readonly onChange: (eventOrText: unknown) => void
  readonly onBlur: () => void
}

interface LiveFormOptions<Values> {
  initial: Values
  /** Returns errors by field; valid fields have none. */
  findProblems: (values: Values) => Texts<Values>
}

export type LiveForm<Values extends Record<string, unknown>> = ReturnType<typeof useLiveForm<Values>>

/**
 * A form that validates a field on its first blur, and on every change after that. A failed submit validates all
 * fields.
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
    /** Changes several fields, and validates them again. */
    setAll: (values: Partial<Values>) => {
      form.setValues(values)
      form.validate()
    },
    /** Shows a server error at a field until the field changes. Focuses the field. */
    refuse: (name: Field, text: string) => {
      const node = form.getInputNode(name)
      // If the field already has the focus, focusing it again would not announce the error.
      setSpoken(node === document.activeElement ? text : null)
      form.setFieldError(name, text)
      see(name)
      node?.focus()
    },
    /** Whether any field is invalid. */
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
