import type { ReactNode } from 'react'
import { useT } from '../../../../i18n/use-translation.ts'

export interface OptionsFormProps {
  /** Id of the form, for a submit button outside the form. */
  id: string
  onSubmit: () => void
}

/** A form around the options of a share, so that Enter submits. */
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
