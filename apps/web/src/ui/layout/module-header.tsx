import type { ReactNode } from 'react'
import styles from './module-header.module.css'

/** Placeholder that reserves the line of a text while it loads. */
export const EMPTY_LINE = '\u00A0'

interface ModuleHeaderProps {
  title: string
  /** A line below the title, such as a number or an age. */
  text?: ReactNode
  /** Buttons at the end of the title's line. */
  children?: ReactNode
}

/** The header of a module of the admin panel. */
export function ModuleHeader({ title, text, children }: ModuleHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <h1 className={styles.title}>{title}</h1>
        {text && <p className={styles.text}>{text}</p>}
      </div>
      {children && <div className={styles.actions}>{children}</div>}
    </header>
  )
}
