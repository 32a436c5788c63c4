import { useMutation } from '@tanstack/react-query'
import { ApiError } from '../lib/api-error.ts'
import { errorText } from '../lib/i18n/error-text.ts'
import type { LiveForm } from './live-form.ts'

interface SavingOptions<Values extends Record<string, unknown>, Saved> {
  form: LiveForm<Values>
  save: (values: Values) => Promise<Saved>
  onSaved: (saved: Saved) => Promise<void> | void
  /** The field that an error of the server is about, by the code of the error. */
  fieldOfCode: Readonly<Record<string, keyof Values & string>>
}

/** Saves what a form holds. What the server says of a field stands there, anything else is the `failure`. */
export function useSaving<Values extends Record<string, unknown>, Saved>(
  options: SavingOptions<Values, Saved>,
) {
  const { form, save, onSaved, fieldOfCode } = options
  const fieldOf = (error: unknown) => (error instanceof ApiError ? fieldOfCode[error.code] : undefined)
  const saving = useMutation({
    mutationFn: (values: Values) => save(values),
    onSuccess: (saved) => onSaved(saved),
    onError: (error) => {
      const field = fieldOf(error)
      if (field !== undefined) form.refuse(field, errorText(error))
    },
  })
  return {
    onSubmit: form.onSubmit((values) => saving.mutate(values)),
    isBusy: saving.isPending,
    failure: fieldOf(saving.error) === undefined ? saving.error : null,
  }
}
