import { SealError, type SealErrorCode } from '@dropleaf/seal'
import { Button } from '@mantine/core'
import { IconClockExclamation, IconShieldX } from '@tabler/icons-react'
import { PreviewError } from '../../../domains/preview/preview-error.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { i18n } from '../../../i18n/i18n.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { OlderRevisionError } from '../sealed/seen-revisions.ts'
import { BundleFailure } from './bundle-failure.tsx'

type SealedFault = 'refused' | 'older' | 'demanding' | 'newer' | 'invalid' | 'tampered'

const BY_CODE: Partial<Record<SealErrorCode, SealedFault>> = {
  'manifest.refused': 'refused',
  'manifest.too_large': 'refused',
  'manifest.invalid': 'invalid',
  'manifest.version': 'newer',
  'share.malformed': 'refused',
  'kdf.refused': 'demanding',
}

/** Returns why a bundle is not shown although the server returned it; `null` for other errors. */
function sealedFaultOf(error: unknown): SealedFault | null {
  if (error instanceof OlderRevisionError) return 'older'
  if (error instanceof PreviewError) return 'tampered'
  return error instanceof SealError ? (BY_CODE[error.code] ?? 'invalid') : null
}

/** Returns the text of an error for the password field. */
export function sealedErrorText(error: unknown): string {
  const fault = sealedFaultOf(error)
  return fault === null ? errorText(error) : i18n.t(`sealedReading.fault.${fault}Text`)
}

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
