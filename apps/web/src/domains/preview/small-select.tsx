import { PlainSelect } from '../../ui/forms/plain-select.tsx'
import styles from './preview-parts.module.css'

interface SmallSelectProps {
  label: string
  /** Whether the label is shown before the select. */
  hasCaption?: boolean
  value: string
  options: readonly { readonly value: string; readonly label: string }[]
  onChange: (value: string) => void
}

/** A native select element for toolbars. */
export function SmallSelect({ label, hasCaption = false, value, options, onChange }: SmallSelectProps) {
  return (
    <label className={styles.select}>
      {hasCaption && <span>{label}</span>}
      <PlainSelect
        className={styles.list}
        aria-label={label}
        title={label}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </PlainSelect>
    </label>
  )
}
