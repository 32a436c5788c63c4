import { useT } from '../../../i18n/use-translation.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import styles from './drive.module.css'

interface CopyLineProps {
  text: string
  /** What it is, as it stands within a sentence. */
  what: string
  /** Broken where it is longer than its place, which commands are on phones alone: elsewhere they scroll by themselves. */
  isBroken?: boolean
}

/** Something to be taken over as it stands. */
export function CopyLine({ text, what, isBroken = false }: CopyLineProps) {
  const { t } = useT()
  return (
    <div className={styles.copyLine}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */}
      <pre className={styles.code} data-broken={isBroken || undefined} tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={t('webdav.copyOf', { what })} said={t('webdav.copied', { what })} />
    </div>
  )
}
