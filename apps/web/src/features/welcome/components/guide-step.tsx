import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './guide.module.css'

interface GuideStepPageProps {
  title: string
  text: string
  /** Whether the step takes the focus; true if the step replaces another step. */
  hasFocus: boolean
  children?: ReactNode
  /** Buttons of the last row; the primary button comes last. */
  actions: ReactNode
}

/** A step of the guide: title, content and buttons. */
export function GuideStepPage({ title, text, hasFocus, children, actions }: GuideStepPageProps) {
  const id = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (hasFocus) heading.current?.focus()
  }, [hasFocus])
  return (
    <section className={styles.page} aria-labelledby={id}>
      <div className={styles.words}>
        <h2 className={styles.title} id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <p className={styles.text}>{text}</p>
      </div>
      {children}
      <div className={styles.actions}>{actions}</div>
    </section>
  )
}
