import { type ReactNode, useId } from 'react'
import styles from './segmented-control.module.css'

interface SegmentedControlProps<Value extends string> {
  /** What is chosen, for who does not see it. */
  label: string
  value: Value
  options: ReadonlyArray<{ readonly value: Value; readonly label: ReactNode }>
  onChange: (value: Value) => void
  /** Within a bar of other small things. */
  isSmall?: boolean
  /** As wide as what it is in. */
  isWide?: boolean
}

/**
 * One of a few, all of them seen at once, on the browser's own radio buttons. It is drawn by its style sheet alone: the one of the
 * library measures its parts while a page is made, which holds up all of it.
 */
export function SegmentedControl<Value extends string>(props: SegmentedControlProps<Value>) {
  const { label, value, options, onChange, isSmall = false, isWide = false } = props
  const name = useId()
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={styles.group}
      data-small={isSmall || undefined}
      data-wide={isWide || undefined}
    >
      {options.map((option) => (
        <label key={option.value} className={styles.option}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span className={styles.word}>{option.label}</span>
        </label>
      ))}
    </div>
  )
}
