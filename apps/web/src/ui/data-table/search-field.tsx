import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../i18n/use-translation.ts'

const PAUSE_MS = 250
const MAX_LENGTH = 200

interface SearchFieldProps {
  label: string
  value: string
  onSearch: (words: string) => void
}

/** Searches when the user stops typing, and at once on Enter. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const { t } = useT()
  // Typed text that was not searched yet. While this is `null`, the field follows the URL, which can change by a back
  // step or cleared filters.
  const [draft, setDraft] = useState<string | null>(null)
  if (draft === value) setDraft(null)
  const text = draft ?? value
  const field = useRef<HTMLInputElement>(null)
  const clear = () => {
    field.current?.focus()
    setDraft('')
    onSearch('')
  }
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => onSearch(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])
  return (
    <TextInput
      ref={field}
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={MAX_LENGTH}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={text === '' ? null : <CloseButton aria-label={t('table.clearSearch')} onClick={clear} />}
      value={text}
      onChange={(event) => setDraft(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSearch(text)
      }}
    />
  )
}
