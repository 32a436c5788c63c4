import { type ReactNode, type Ref, useId } from 'react'
import styles from './panel.module.css'

interface PanelProps {
  title: string
  /** Text at the end of the title's line. */
  note?: ReactNode
  /** Buttons at the end of the title's line. */
  actions?: ReactNode
  ref?: Ref<HTMLElement>
  children: ReactNode
}

/** A section of a page with several subjects. */
export function Panel({ title, note, actions, ref, children }: PanelProps) {
  const id = useId()
  return (
    <section ref={ref} className={styles.panel} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className={styles.title} id={id}>
          {title}
        </h2>
        {note && <span className={styles.note}>{note}</span>}
        {actions}
      </div>
      <div className={styles.body}>{children}</div>
    </section>
  )
}
