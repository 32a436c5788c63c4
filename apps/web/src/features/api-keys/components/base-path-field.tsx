import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useT } from '../../../lib/i18n/use-translation.ts'

interface BasePathFieldProps {
  value: string
  error: ReactNode
  onChange: (path: string) => void
  onBlur: () => void
}

/** The folder that is the root for the holder of a key. */
export function BasePathField({ value, error, onChange, onBlur }: BasePathFieldProps) {
  const { t } = useT()
  return (
    <TextInput
      label={t('keys.basePath')}
      description={t('keys.basePathHint')}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      spellCheck={false}
      autoComplete="off"
      value={value}
      error={error}
      onBlur={onBlur}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
