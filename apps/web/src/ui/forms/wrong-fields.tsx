import { useEffect, useState } from 'react'
import { useT } from '../../i18n/use-translation.ts'
import { Banner } from '../feedback/message.tsx'

/** What a field says of itself, and what is empty that must not be. */
const WRONG = ':is(input, textarea, select):is([aria-invalid="true"], :invalid)'
const EMPTY = ':is(input, textarea, select):invalid'

/** By itself the browser shows the field alone: not its name above it, nor below what is wrong. */
function goTo(field: HTMLElement | null | undefined): void {
  field?.focus()
  field?.closest('.mantine-InputWrapper-root')?.scrollIntoView({ block: 'nearest' })
}

export interface WrongFields {
  /** What was pressed for is not done, and the keyboard is at the first field that is wrong. */
  readonly refuse: () => void
  readonly isRefused: boolean
  /** How often. */
  readonly refusals: number
}

/**
 * A form that says what is wrong when somebody wants it to be done: a button that cannot be pressed would not.
 * @param rootId of what is around the fields
 */
export function useWrongFields(rootId: string, isWrong: boolean): WrongFields {
  const [refusals, setRefusals] = useState(0)
  if (refusals > 0 && !isWrong) setRefusals(0)
  useEffect(() => {
    if (refusals === 0) return
    const root = document.getElementById(rootId)
    // `invalid` announces each of them.
    for (const field of root?.querySelectorAll<HTMLInputElement>(EMPTY) ?? []) field.checkValidity()
    goTo(root?.querySelector<HTMLElement>(WRONG))
  }, [rootId, refusals])
  return { refuse: () => setRefusals((count) => count + 1), isRefused: refusals > 0, refusals }
}

/** Stands by the button: the field itself may be far above, or have the keyboard already. */
export function WrongFieldsBanner({ refusals }: { refusals: number }) {
  const { t } = useT()
  if (refusals === 0) return null
  return (
    // The same words are only spoken again when they come anew.
    <Banner key={refusals} tone="error">
      {t('common.wrongFields')}
    </Banner>
  )
}
