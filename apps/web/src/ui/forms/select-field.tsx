import { Input } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'

interface SelectFieldProps<Value extends string> {
  label: string
  description?: string | undefined
  value: Value
  options: readonly { readonly value: Value; readonly label: string }[]
  disabled?: boolean
  error?: ReactNode
  onChange: (value: Value) => void
}

/** A choice from a short list, with a native select. */
export function SelectField<Value extends string>(props: SelectFieldProps<Value>) {
  const id = useId()
  return (
    <Input.Wrapper id={id} label={props.label} description={props.description} error={props.error}>
      <Input
        id={id}
        component="select"
        pointer
        value={props.value}
        disabled={props.disabled ?? false}
        error={Boolean(props.error)}
        aria-invalid={Boolean(props.error) || undefined}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        rightSectionPointerEvents="none"
        onChange={(event: React.ChangeEvent<HTMLSelectElement>) =>
          props.onChange(event.currentTarget.value as Value)
        }
      >
        {props.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </Input>
    </Input.Wrapper>
  )
}
