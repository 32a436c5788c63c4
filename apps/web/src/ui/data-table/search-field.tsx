import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useT } from '../../lib/i18n/use-translation.ts'

const PAUSE_MS = 250
const MAX_LENGTH = 200

interface SearchFieldProps {
  label: string
  value: string
  onSearch: (words: string) => void
}

/** Searches when typing pauses, and at once on Enter. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const { t } = useT()
  const [typed, setTyped] = useState({ text: value, of: value })
  // The address may change by itself: back, forward, or filters that are cleared.
  const text = typed.of === value ? typed.text : value
  const type = (next: string) => setTyped({ text: next, of: value })
  useEffect(() => {
    if (text === value) return undefined
    const timer = setTimeout(() => onSearch(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text, value, onSearch])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={MAX_LENGTH}
      leftSection={<IconSearch size={18} aria-hidden />}
      rightSection={
        text === '' ? null : <CloseButton aria-label={t('table.clearSearch')} onClick={() => onSearch('')} />
      }
      value={text}
      onChange={(event) => type(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSearch(text)
      }}
    />
  )
}
