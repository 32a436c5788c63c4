import { useEffect, useState } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import { Banner } from '../feedback/message.tsx'

/** Selectors of invalid fields, and of empty required fields. */
const WRONG = ':is(input, textarea, select):is([aria-invalid="true"], :invalid)'
const EMPTY = ':is(input, textarea, select):invalid'

/** Focuses a field, and also scrolls to its label and error, because the browser would scroll only to the field. */
function goTo(field: HTMLElement | null | undefined): void {
  field?.focus()
  field?.closest('.mantine-InputWrapper-root')?.scrollIntoView({ block: 'nearest' })
}

export interface WrongFields {
  /** Rejects the submit, and focuses the first invalid field. */
  readonly refuse: () => void
  readonly isRefused: boolean
  /** Number of rejected submits. */
  readonly refusals: number
}

/**
 * Reports invalid fields on submit. The submit button is never disabled, because a disabled button would explain
 * nothing.
 * @param rootId id of the element around the fields
 */
export function useWrongFields(rootId: string, isWrong: boolean): WrongFields {
  const [refusals, setRefusals] = useState(0)
  if (refusals > 0 && !isWrong) setRefusals(0)
  useEffect(() => {
    if (refusals === 0) return
    const root = document.getElementById(rootId)
    // Each call fires the `invalid` event.
    for (const field of root?.querySelectorAll<HTMLInputElement>(EMPTY) ?? []) field.checkValidity()
    goTo(root?.querySelector<HTMLElement>(WRONG))
  }, [rootId, refusals])
  return { refuse: () => setRefusals((count) => count + 1), isRefused: refusals > 0, refusals }
}

/** The banner is shown beside the button, because the field can be far above, or already have the focus. */
export function WrongFieldsBanner({ refusals }: { refusals: number }) {
  const { t } = useT()
  if (refusals === 0) return null
  return (
    // Screen readers announce repeated text only in a new element.
    <Banner key={refusals} tone="error">
      {t('common.wrongFields')}
    </Banner>
  )
}
