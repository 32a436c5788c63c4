import type { ReactNode } from 'react'
import styles from './module-header.module.css'

interface ModuleHeaderProps {
  title: string
  /** A line below the title, such as how long entries are kept. */
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
