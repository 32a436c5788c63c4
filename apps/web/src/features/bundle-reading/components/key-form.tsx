import type { Bytes } from '@dropleaf/seal'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { type FormEvent, useEffect, useState } from 'react'
import {
  type KeyProblem,
  keyProblemOf,
  LINK_MAX_LENGTH,
  readEnteredKey,
} from '../../../domains/sealed/link/link-keys.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { focusOnMount } from '../../../ui/focus/focus.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { useFieldError } from '../../../ui/forms/use-field-error.tsx'

interface KeyFormProps {
  /** Why the key of the address does not open the bundle; `null` without a key. */
  problem: KeyProblem | null
  onKey: (secret: Bytes) => void
}

/** Asks the reader for the key, because the link contains no key that opens the bundle. */
export function KeyForm({ problem, onKey }: KeyFormProps) {
  const { t } = useT()
  const [text, setText] = useState('')
  const { field, said, refuse, clear } = useFieldError()
  usePageTitle(t('sealedReading.badge'))
  useEffect(() => focusOnMount(field.current), [field])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    clear()
    try {
      onKey(readEnteredKey(text))
    } catch (error) {
      refuse(t(`sealedReading.key.${keyProblemOf(error)}`))
    }
  }
  return (
    <form className={formStyles.card} onSubmit={submit} noValidate>
      <IconKey size={28} aria-hidden color="var(--dl-muted)" />
      <h1 className={formStyles.title}>{t(problem ? 'sealedReading.badge' : 'sealedReading.key.title')}</h1>
      <p className={formStyles.text} role={problem ? 'alert' : undefined}>
        {t(problem ? `sealedReading.key.${problem}` : 'sealedReading.key.text')}
      </p>
      <PasswordField
        ref={field}
        label={t('sealedReading.key.label')}
        maxLength={LINK_MAX_LENGTH}
        autoComplete="off"
        value={text}
        {...said}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" fullWidth>
        {t('sealedReading.key.open')}
      </Button>
    </form>
  )
}
