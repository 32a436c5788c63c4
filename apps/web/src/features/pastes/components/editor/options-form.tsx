import type { ReactNode } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'

export interface OptionsFormProps {
  /** The button that sends it is elsewhere, and names it. */
  id: string
  onSubmit: () => void
}

/** The options of a share, around their fields: Enter in one of them sends, too. */
export function OptionsForm({
  id,
  onSubmit,
  className,
  children,
}: OptionsFormProps & { className: string | undefined; children: ReactNode }) {
  const { t } = useT()
  return (
    <form
      id={id}
      className={className}
      aria-label={t('home.options')}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
    </form>
  )
}
