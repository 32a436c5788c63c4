import { type ReactNode, useId } from 'react'
import styles from './segmented-control.module.css'

interface SegmentedControlProps<Value extends string> {
  /** Accessible name. */
  label: string
  value: Value
  options: ReadonlyArray<{ readonly value: Value; readonly label: ReactNode }>
  onChange: (value: Value) => void
  /** Makes the control small enough for toolbars. */
  isSmall?: boolean
  /** Makes the control as wide as its parent. */
  isWide?: boolean
}

/**
 * A choice of a few visible options, with native radio buttons. Styled by CSS alone, because the library's component
 * measures its parts during rendering, which blocks the page.
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
