import { Button } from '@mantine/core'
import { IconClockExclamation, IconShieldX } from '@tabler/icons-react'
import { type SealedFault, sealedFaultOf } from '../../../domains/sealed/reading/fault-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { BundleFailure } from './bundle-failure.tsx'

/** Explains why an encrypted bundle is not shown. */
export function SealedFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const fault = sealedFaultOf(error)
  if (fault === null) return <BundleFailure error={error} onRetry={onRetry} />
  return <Fault fault={fault} onRetry={onRetry} />
}

function Fault({ fault, onRetry }: { fault: SealedFault; onRetry: () => void }) {
  const { t } = useT()
  const Icon = fault === 'older' ? IconClockExclamation : IconShieldX
  const title = t(`sealedReading.fault.${fault}Title`)
  usePageTitle(title)
  return (
    <PageMessage
      icon={<Icon size={28} aria-hidden />}
      title={title}
      text={t(`sealedReading.fault.${fault}Text`)}
    >
      {fault !== 'demanding' && <Button onClick={onRetry}>{t('common.retry')}</Button>}
    </PageMessage>
  )
}
