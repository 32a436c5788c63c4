import { CloseButton } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import styles from './offline.module.css'

interface CardProps {
  icon: ReactNode
  title: string
  text: string
  onClose: () => void
  /** Buttons of the card. */
  children: ReactNode
}

/** A message at the edge of the screen that needs no response. */
export function Card({ icon, title, text, onClose, children }: CardProps) {
  const { t } = useT()
  const titleId = useId()
  return (
    <section className={`${styles.card} dl-no-print`} aria-labelledby={titleId}>
      <span className={styles.icon}>{icon}</span>
      <div className={styles.words}>
        <h2 id={titleId} className={styles.title}>
          {title}
        </h2>
        <p className={styles.text}>{text}</p>
        <div className={styles.actions}>{children}</div>
      </div>
      <CloseButton className={styles.close ?? ''} aria-label={t('common.close')} onClick={onClose} />
    </section>
  )
}
