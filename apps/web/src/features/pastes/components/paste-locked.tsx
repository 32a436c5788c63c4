import type { ReadablePaste } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { hasCode } from '../../../lib/api-error.ts'
import { errorText } from '../../../lib/i18n/error-text.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { focusOnMount } from '../../../ui/focus.ts'
import formStyles from '../../../ui/form.module.css'
import { PasswordField } from '../../../ui/password-field.tsx'
import { unlockPaste } from '../api/pastes.queries.ts'

interface PasteLockedProps {
  slug: string
  remark: string | null
  onOpen: (paste: ReadablePaste, password: string) => void
  /** The share turned out to be gone. */
  onGone: (error: unknown) => void
}

const isGone = (error: unknown) => hasCode(error, 'paste.not_found', 'paste.expired', 'paste.used_up')

export function PasteLocked({ slug, remark, onOpen, onGone }: PasteLockedProps) {
  const { t } = useT()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  usePageTitle(remark ?? t('shell.titles.paste'))
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '') {
      setError(t('errors.paste.password_missing'))
      return
    }
    setBusy(true)
    setError(null)
    try {
      onOpen(await unlockPaste(slug, password), password)
    } catch (failure) {
      if (isGone(failure)) onGone(failure)
      else setError(errorText(failure))
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className={formStyles.card} onSubmit={(event) => void submit(event)} noValidate>
      <IconLock size={28} aria-hidden color="var(--dl-muted)" />
      <h1 className={formStyles.title}>{remark ?? t('paste.locked.title')}</h1>
      {remark && <p className={formStyles.text}>{t('paste.locked.title')}</p>}
      <PasswordField
        ref={focusOnMount}
        label={t('paste.locked.password')}
        autoComplete="off"
        value={password}
        error={error}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={isBusy} fullWidth>
        {t('paste.locked.open')}
      </Button>
    </form>
  )
}
