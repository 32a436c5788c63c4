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
 * Explains that a bundle should be encrypted but is not, and shows nothing of it. The reader may show the bundle if the
 * reason can be harmless: the fragment of the address may be no key, or the link may belong to another bundle now.
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
