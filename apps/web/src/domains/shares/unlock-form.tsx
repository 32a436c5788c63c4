import { SHOWN_PASSWORD_MAX_LENGTH } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { FormEvent, ReactNode } from 'react'
import { useEffect, useEffectEvent, useState } from 'react'
import { errorText, tellQueued } from '../../i18n/error-text.ts'
import { focusOnMount } from '../../ui/focus/focus.ts'
import formStyles from '../../ui/forms/form.module.css'
import { PasswordField } from '../../ui/forms/password-field.tsx'
import { useFieldError } from '../../ui/forms/use-field-error.tsx'

interface UnlockFormProps {
  title: string
  text: string | null
  words: { readonly password: string; readonly open: string; readonly missing: string }
  /** Tries a password. The field shows the error, unless the request is queued or `isGone` returns true. */
  unlock: (password: string) => Promise<void>
  isGone: (error: unknown) => boolean
  /** Error that the field shows at first. */
  problem?: string | undefined
  /** Called with an error for which `isGone` returns true. The caller then replaces the form. */
  onGone: (error: unknown) => void
  /** Returns the text of an error for the password field. */
  say?: (error: unknown) => string
  /** Shown while a password is checked. */
  busyNote?: ReactNode
}

export function UnlockForm({ title, text, words, unlock, isGone, onGone, ...more }: UnlockFormProps) {
  const { say = errorText, busyNote, problem } = more
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const { field, said, refuse, clear } = useFieldError()
  const sayProblem = useEffectEvent(() => {
    if (problem !== undefined) refuse(problem)
  })
  useEffect(() => {
    sayProblem()
    return focusOnMount(field.current)
  }, [field])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    clear()
    if (password === '') {
      refuse(words.missing)
      return
    }
    setBusy(true)
    try {
      await unlock(password)
    } catch (failure) {
      if (isGone(failure)) onGone(failure)
      else if (!tellQueued(failure)) refuse(say(failure))
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
        maxLength={SHOWN_PASSWORD_MAX_LENGTH}
        autoComplete="off"
        value={password}
        {...said}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={isBusy} fullWidth>
        {words.open}
      </Button>
      {isBusy && busyNote}
    </form>
  )
}
