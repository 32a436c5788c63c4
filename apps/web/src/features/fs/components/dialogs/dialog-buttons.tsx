import type { ReactNode } from 'react'
import styles from './dialogs.module.css'

/** The last row of a form dialog. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className={styles.buttons}>{children}</div>
)
