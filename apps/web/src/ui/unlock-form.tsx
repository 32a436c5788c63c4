import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { errorText, tellQueued } from '../lib/i18n/error-text.ts'
import { focusOnMount } from './focus.ts'
import formStyles from './form.module.css'
import { PasswordField } from './password-field.tsx'

interface UnlockFormProps {
  title: string
  /** Stands below the title. */
  text: string | null
  words: { readonly password: string; readonly open: string; readonly missing: string }
  /** Tries a password. What it throws is shown at the field, unless it is the end of the share. */
  unlock: (password: string) => Promise<void>
  isGone: (error: unknown) => boolean
  /** The share turned out to be gone. */
  onGone: (error: unknown) => void
}

interface Refusal {
  readonly text: string
  /** The keyboard is at the field, and stays there: nothing else would say it. */
  readonly isSpoken: boolean
}

/** Asks for the password of a share. */
export function UnlockForm({ title, text, words, unlock, isGone, onGone }: UnlockFormProps) {
  const [password, setPassword] = useState('')
  const [error, setError] = useState<Refusal | null>(null)
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => focusOnMount(field.current), [])
  const refuse = (text: string) => {
    // Who is sent to the field hears it there.
    setError({ text, isSpoken: document.activeElement === field.current })
    field.current?.focus()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setError(null)
    if (password === '') {
      refuse(words.missing)
      return
    }
    setBusy(true)
    try {
      await unlock(password)
    } catch (failure) {
      if (isGone(failure)) onGone(failure)
      else if (!tellQueued(failure)) refuse(errorText(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={formStyles.card} onSubmit={(event) => void submit(event)} noValidate>
      <IconLock size={28} aria-hidden color="var(--dl-muted)" />
      <h1 className={formStyles.title}>{title}</h1>
      {text !== null && <p className={formStyles.text}>{text}</p>}
      <PasswordField
        ref={field}
        label={words.password}
        autoComplete="off"
        value={password}
        error={error?.text}
        errorProps={{ role: error?.isSpoken ? 'alert' : undefined }}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={isBusy} fullWidth>
        {words.open}
      </Button>
    </form>
  )
}
