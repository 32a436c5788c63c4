import { type ReactNode, useId } from 'react'
import styles from './check-field.module.css'

interface CheckFieldProps {
  label: string
  hint: ReactNode
  isChecked: boolean
  isDisabled?: boolean
  onChange: (isChecked: boolean) => void
}

/** A checkbox with an explanation. */
export function CheckField({ label, hint, isChecked, isDisabled = false, onChange }: CheckFieldProps) {
  const id = useId()
  return (
    <div className={styles.field}>
      <input
        id={id}
        type="checkbox"
        aria-describedby={`${id}-hint`}
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
      <span className={styles.hint} id={`${id}-hint`}>
        {hint}
      </span>
    </div>
  )
}
