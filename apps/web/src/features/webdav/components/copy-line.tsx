import { useT } from '../../../i18n/use-translation.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import styles from './drive.module.css'

interface CopyLineProps {
  text: string
  /** Describes the text, in words that fit into a sentence. */
  what: string
  /** Whether long text always wraps. Otherwise it wraps only on narrow screens, and scrolls on wide screens. */
  isBroken?: boolean
}

/** A text with a copy button. */
export function CopyLine({ text, what, isBroken = false }: CopyLineProps) {
  const { t } = useT()
  return (
    <div className={styles.copyLine}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it */}
      <pre className={styles.code} data-broken={isBroken || undefined} tabIndex={0}>
        <code>{text}</code>
      </pre>
      <CopyButton text={text} label={t('webdav.copyOf', { what })} said={t('webdav.copied', { what })} />
    </div>
  )
}
