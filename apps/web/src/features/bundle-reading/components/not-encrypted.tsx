import { Button } from '@mantine/core'
import { IconLockOpen2 } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import type { KnownSeal } from '../sealed/not-sealed.ts'

interface NotEncryptedProps {
  known: KnownSeal | null
  hasKey: boolean
  /** Shows the open bundle. */
  onOpen: () => void
}

/**
 * Shows nothing of a bundle that should be encrypted but is not. Without more knowledge about the bundle, its fragment
 * may be no key, and its link may belong to another bundle now. The reader may then show it.
 */
export function NotEncrypted({ known, hasKey, onOpen }: NotEncryptedProps) {
  const { t } = useT()
  const title = t('sealedReading.replaced.title')
  usePageTitle(title)
  const hasWay = known === null || (known === 'link' && !hasKey)
  const text = hasKey ? (hasWay ? 'wayText' : 'keyText') : 'linkText'
  return (
    <PageMessage
      icon={<IconLockOpen2 size={28} aria-hidden />}
      title={title}
      text={t(`sealedReading.replaced.${text}`)}
    >
      {hasWay && (
        <Button variant="default" onClick={onOpen}>
          {t('sealedReading.replaced.way')}
        </Button>
      )}
    </PageMessage>
  )
}
