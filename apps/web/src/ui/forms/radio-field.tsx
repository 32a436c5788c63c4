import { useId } from 'react'
import styles from './radio-field.module.css'

interface RadioOption<Value extends string> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
}

interface RadioFieldProps<Value extends string> {
  label: string
  value: Value
  options: readonly RadioOption<Value>[]
  disabled?: boolean
  onChange: (value: Value) => void
}

/** A choice of a few options with explanations, with native controls. */
export function RadioField<Value extends string>(props: RadioFieldProps<Value>) {
  const { label, value, options, disabled = false, onChange } = props
  const name = useId()
  return (
    <fieldset className={styles.group} disabled={disabled}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className={styles.option} data-disabled={disabled || undefined}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            {...(option.hint && { 'aria-describedby': `${name}-${option.value}` })}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
          {option.hint && (
            <span className={styles.hint} id={`${name}-${option.value}`} aria-hidden>
              {option.hint}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  )
}
