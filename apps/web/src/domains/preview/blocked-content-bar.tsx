import { Button } from '@mantine/core'
import { formatNumber } from '../../lib/format.ts'
import { useT } from '../../i18n/use-translation.ts'
import { Banner } from '../../ui/feedback/message.tsx'
import styles from './blocked-content-bar.module.css'

const NAMED_HOSTS = 3

interface BlockedContentBarProps {
  /** Hosts of images and recordings in the file. */
  hosts: readonly string[]
  onLoad: () => void
}

/** Offers to load content from other sites. Before the user agrees, the page sends no requests to these sites. */
export function BlockedContentBar({ hosts, onLoad }: BlockedContentBarProps) {
  const { t, language } = useT()
  if (hosts.length === 0) return null
  const more = hosts.length - NAMED_HOSTS
  const named = hosts.slice(0, NAMED_HOSTS).join(', ')
  const names =
    more > 0 ? t('viewer.leftOut.more', { names: named, count: formatNumber(more, language) }) : named
  return (
    <Banner tone="info">
      {t('viewer.leftOut.text')}
      <Button className={styles.load ?? ''} variant="default" size="compact-md" onClick={onLoad}>
        {t('viewer.leftOut.load', { names })}
      </Button>
    </Banner>
  )
}
