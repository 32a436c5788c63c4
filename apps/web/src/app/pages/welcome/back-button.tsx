import { Button } from '@mantine/core'
import { useT } from '../../../i18n/use-translation.ts'
import type { StepProps } from './welcome.page.tsx'

export function BackButton({ onBack }: Pick<StepProps, 'onBack'>) {
  const { t } = useT()
  if (onBack === null) return null
  return (
    <Button variant="default" onClick={onBack}>
      {t('welcome.back')}
    </Button>
  )
}
