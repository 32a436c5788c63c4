import { useT } from '../../../i18n/use-translation.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import styles from './drive.module.css'

interface CopyLineProps {
  text: string
  /** What the text is, as words within a sentence. */
  what: string
  /** Wraps long content, on phones only for commands: elsewhere they scroll. */
  isBroken?: boolean
}

/** A text to copy. */
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
