import { BACKUP_PASSPHRASE_MIN_LENGTH } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { PRODUCT } from '../../../lib/browser/page-title.ts'
import { saveBlob } from '../../../lib/browser/save-blob.ts'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { PasswordStrength } from '../../../ui/forms/password-strength.tsx'
import { fetchBackup } from '../api/backup.api.ts'
import { findPassphraseProblem } from '../models/backup-form.ts'
import styles from './backup.module.css'

const KNOWN = [PRODUCT]

export function ExportForm() {
  const { t } = useT()
  const [passphrase, setPassphrase] = useState('')
  const [again, setAgain] = useState('')
  const [isShown, setShown] = useState(false)
  const problem = findPassphraseProblem(passphrase, again)
  const shown = isShown ? problem : null
  const exporting = useMutation({
    mutationFn: () => fetchBackup(passphrase === '' ? null : passphrase),
    onSuccess: (blob) => {
      saveBlob(blob, `dropleaf-${new Date().toISOString().slice(0, 'yyyy-mm-dd'.length)}.ndjson`)
      notify('success', t('backup.exported'))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setShown(true)
    if (problem === null) exporting.mutate()
  }
  return (
    <form className={styles.section} onSubmit={submit} noValidate>
      <h3 className={styles.heading}>{t('backup.export')}</h3>
      <PasswordField
        label={t('backup.passphrase')}
        description={t('backup.passphraseHint')}
        autoComplete="new-password"
        value={passphrase}
        error={shown === 'tooShort' && t('backup.problems.tooShort', { count: BACKUP_PASSPHRASE_MIN_LENGTH })}
        onChange={(event) => setPassphrase(event.currentTarget.value)}
        onBlur={() => setShown(isShown || again !== '')}
      />
      <PasswordStrength password={passphrase} known={KNOWN} />
      <PasswordField
        label={t('backup.passphraseAgain')}
        autoComplete="new-password"
        value={again}
        error={shown === 'different' && t('backup.problems.different')}
        onChange={(event) => setAgain(event.currentTarget.value)}
        onBlur={() => setShown(true)}
      />
      {passphrase === '' && <Banner tone="warning">{t('backup.noPassphrase')}</Banner>}
      {exporting.isError && <Failure error={exporting.error} />}
      <div>
        <Button
          type="submit"
          loading={exporting.isPending}
          leftSection={<IconDownload size={18} aria-hidden />}
        >
          {t('backup.exportNow')}
        </Button>
      </div>
    </form>
  )
}
