import type { ReactNode } from 'react'
import styles from './dialogs.module.css'

/** Button row at the bottom of a form dialog. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className={styles.buttons}>{children}</div>
)
