import { Button } from '@mantine/core'
import { IconKey, IconLink } from '@tabler/icons-react'
import { useT } from '../../../i18n/use-translation.ts'
import { paths } from '../../../lib/paths.ts'
import { useCopy } from '../../../ui/buttons/copy-button.tsx'
import { bundleAddress } from '../../bundles/bundle-address.ts'
import { ShareLink } from '../../transfers/rows/share-link.tsx'
import { sealedAddress } from './sealed-address.ts'
import styles from './sealed-links.module.css'

interface SealedLinksProps {
  /** Name of the bundle in labels for screen readers. */
  name: string
  slug: string
  linkKey: string
}

/**
 * Copies the link of an encrypted bundle and its key separately, so that the user can send them over different
 * channels.
 */
export function SealedParts({ name, slug, linkKey }: SealedLinksProps) {
  const { t } = useT()
  const { copy } = useCopy()
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconLink size={16} aria-hidden />}
        aria-label={t('sealing.copyBareOf', { name })}
        onClick={() => void copy(bundleAddress(slug), t('sealing.bareCopied'))}
      >
        {t('sealing.copyBare')}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconKey size={16} aria-hidden />}
        aria-label={t('sealing.copyKeyOf', { name })}
        onClick={() => void copy(linkKey, t('sealing.keyCopied'))}
      >
        {t('sealing.copyKey')}
      </Button>
    </>
  )
}

export function LostKeyNote() {
  const { t } = useT()
  return <p className={styles.lost}>{t('sealing.lostKey')}</p>
}

/** Shows the link of a new encrypted bundle in a row of uploads. */
export function SealedRowLink({ name, slug, linkKey }: SealedLinksProps) {
  return (
    <>
      <ShareLink name={name} link={sealedAddress(slug, linkKey)} path={`${paths.bundle(slug)}#${linkKey}`}>
        <SealedParts name={name} slug={slug} linkKey={linkKey} />
      </ShareLink>
      <LostKeyNote />
    </>
  )
}
