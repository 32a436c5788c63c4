import { useMutation } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api-error.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useSession } from '../session.ts'
import type { LiveForm } from '../../../ui/forms/live-form.ts'

interface SavingOptions<Values extends Record<string, unknown>, Saved> {
  form: LiveForm<Values>
  save: (values: Values) => Promise<Saved>
  onSaved: (saved: Saved) => Promise<void> | void
  /** Maps server error codes to the field that they concern. */
  fieldOfCode: Readonly<Record<string, keyof Values & string>>
}

/** Error codes for a missing or rejected credential. A new login resolves these errors. */
const LOGGED_OUT = new Set(['client.session_expired', 'client.key_invalid', 'client.unauthorized'])

/** Saves the values of a form. A field shows the errors that concern it; `failure` is any other error. */
export function useSaving<Values extends Record<string, unknown>, Saved>(
  options: SavingOptions<Values, Saved>,
) {
  const { form, save, onSaved, fieldOfCode } = options
  const isLoggedIn = useSession().kind !== 'none'
  const fieldOf = (error: unknown) => (error instanceof ApiError ? fieldOfCode[error.code] : undefined)
  const saving = useMutation({
    mutationFn: (values: Values) => save(values),
    onSuccess: (saved) => onSaved(saved),
    onError: (error) => {
      const field = fieldOf(error)
      if (field !== undefined) form.refuse(field, errorText(error))
    },
  })
  // Hides the error after the user has logged in again.
  const isOver = saving.error instanceof ApiError && LOGGED_OUT.has(saving.error.code) && isLoggedIn
  return {
    onSubmit: form.onSubmit((values) => saving.mutate(values)),
    isWrong: form.isWrong,
    isBusy: saving.isPending,
    failure: fieldOf(saving.error) === undefined && !isOver ? saving.error : null,
  }
}
