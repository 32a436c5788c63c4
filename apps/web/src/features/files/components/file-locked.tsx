import type { PublicFile } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { FormEvent } from 'react'
import { useState } from 'react'
import { errorText } from '../../../lib/i18n/error-text.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/page-title.ts'
import { focusOnMount } from '../../../ui/focus.ts'
import formStyles from '../../../ui/form.module.css'
import { PasswordField } from '../../../ui/password-field.tsx'
import { unlockFile } from '../api/files.api.ts'
import { isGone } from './file-failure.tsx'

interface FileLockedProps {
  file: PublicFile
  slug: string
  onOpen: (file: PublicFile) => void
  /** The share turned out to be gone. */
  onGone: (error: unknown) => void
}

export function FileLocked({ file, slug, onOpen, onGone }: FileLockedProps) {
  const { t } = useT()
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  usePageTitle(file.filename)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (password === '') {
      setError(t('errors.file.password_missing'))
      return
    }
    setBusy(true)
    setError(null)
    try {
      onOpen(await unlockFile(slug, password))
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
      <h1 className={formStyles.title} style={{ overflowWrap: 'anywhere' }}>
        {file.filename}
      </h1>
      <p className={formStyles.text}>{t('files.view.locked.title')}</p>
      <PasswordField
        ref={focusOnMount}
        label={t('files.view.locked.password')}
        autoComplete="off"
        value={password}
        error={error}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button type="submit" loading={isBusy} fullWidth>
        {t('files.view.locked.open')}
      </Button>
    </form>
  )
}
