import { Button } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import styles from './pdf.module.css'

export interface PasswordQuestion {
  readonly isWrong: boolean
  readonly answer: (password: string) => void
}

interface PdfPasswordProps {
  question: PasswordQuestion
  onAnswer: (password: string) => void
}

/** Asks for the password, which does not leave the browser. */
export function PdfPassword({ question, onAnswer }: PdfPasswordProps) {
  const { t } = useT()
  const [password, setPassword] = useState('')
  return (
    <form
      className={styles.password}
      onSubmit={(event) => {
        event.preventDefault()
        if (password !== '') onAnswer(password)
      }}
    >
      <IconLock size={32} aria-hidden />
      <p>{t('viewer.pdf.locked')}</p>
      <PasswordField
        label={t('viewer.pdf.password')}
        autoComplete="off"
        value={password}
        error={question.isWrong ? t('viewer.pdf.wrongPassword') : null}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      <Button type="submit">{t('viewer.pdf.open')}</Button>
    </form>
  )
}
