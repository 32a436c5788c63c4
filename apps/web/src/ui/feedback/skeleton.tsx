import styles from './skeleton.module.css'

const DEFAULT_WIDTHS = ['45%', '96%', '88%', '92%', '60%'] as const

interface SkeletonLinesProps {
  /** Text that is announced while the skeleton is shown. */
  label: string
  /** CSS width of each line; all widths must differ. */
  widths?: readonly string[]
}

/** Placeholder for text. */
export function SkeletonLines({ label, widths = DEFAULT_WIDTHS }: SkeletonLinesProps) {
  return (
    <output className={styles.lines} aria-label={label} data-waiting>
      {widths.map((width) => (
        <span key={width} className={styles.line} style={{ width }} />
      ))}
    </output>
  )
}
