import { type ReactNode, useEffect, useId, useRef } from 'react'
import styles from './guide.module.css'

interface GuideStepPageProps {
  title: string
  text: string
  /** Whether it comes after another step, so that the focus belongs to it. */
  hasFocus: boolean
  children?: ReactNode
  /** The buttons of its last row; the one that goes on is the last one. */
  actions: ReactNode
}

/** One step of the guide: what it is about, what there is to do, and the way on. */
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
