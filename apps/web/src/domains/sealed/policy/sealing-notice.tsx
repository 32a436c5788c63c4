import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'

/** Explains why this page cannot share anything: the server requires encryption, but the browser cannot encrypt. */
export function SealingNotice() {
  const { t } = useT()
  return <Banner tone="warning">{t('sealing.switch.blocked')}</Banner>
}
