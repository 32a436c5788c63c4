import { IconChevronDown } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import styles from './plain-select.module.css'

/**
 * A native select for toolbars, styled like a form field.
 * @param props of a `select`; `className` applies to the wrapper, and sets height, width and font
 */
export function PlainSelect({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={`${styles.place} ${className ?? ''}`}>
      <select {...props} />
      <IconChevronDown size={16} aria-hidden />
    </span>
  )
}
