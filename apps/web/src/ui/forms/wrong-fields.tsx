import { useEffect, useState } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import { Banner } from '../feedback/message.tsx'

/** Invalid fields, and empty required ones. */
const WRONG = ':is(input, textarea, select):is([aria-invalid="true"], :invalid)'
const EMPTY = ':is(input, textarea, select):invalid'

/** The browser would scroll only to the field: not to its label, nor to its error below. */
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
 * Reports invalid fields on submit: a disabled button would explain nothing.
 * @param rootId id of the element around the fields
 */
export function useWrongFields(rootId: string, isWrong: boolean): WrongFields {
  const [refusals, setRefusals] = useState(0)
  if (refusals > 0 && !isWrong) setRefusals(0)
  useEffect(() => {
    if (refusals === 0) return
    const root = document.getElementById(rootId)
    // Fires `invalid` on each.
    for (const field of root?.querySelectorAll<HTMLInputElement>(EMPTY) ?? []) field.checkValidity()
    goTo(root?.querySelector<HTMLElement>(WRONG))
  }, [rootId, refusals])
  return { refuse: () => setRefusals((count) => count + 1), isRefused: refusals > 0, refusals }
}

/** Shown beside the button: the field may be far above, or already have the focus. */
export function WrongFieldsBanner({ refusals }: { refusals: number }) {
  const { t } = useT()
  if (refusals === 0) return null
  return (
    // Repeated text is only announced with a new element.
    <Banner key={refusals} tone="error">
      {t('common.wrongFields')}
    </Banner>
  )
}
