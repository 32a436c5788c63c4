import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import styles from './plain-select.module.css'

/**
 * The browser's own list among tools, in the look of a field of a form.
 * @param props those of a `select`; the class is for the place around it, whose height, width and letters it takes.
 */
export function PlainSelect({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={`${styles.place} ${className ?? ''}`}>
      <select {...props} />
      <IconChevronDown size={16} aria-hidden />
    </span>
  )
}
