import type { BackupHeader } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { hasCode } from '../../../lib/api-error.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { PasswordField } from '../../../ui/forms/password-field.tsx'
import { RadioField } from '../../../ui/forms/radio-field.tsx'
import { type ImportOrder, sendBackup } from '../api/backup.api.ts'
import { type HeaderProblem, readHeader } from '../models/backup-form.ts'
import styles from './backup.module.css'
import { Counts, ImportResult } from './import-result.tsx'

const HEADER_BYTES = 16 * 1024

interface Chosen {
  readonly file: File
  readonly header: BackupHeader | HeaderProblem
}

export function ImportForm() {
  const { t } = useT()
  const id = useId()
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const importing = useMutation({
    mutationFn: sendBackup,
    onSuccess: () => queryClient.invalidateQueries(),
  })
  async function choose(file: File | undefined) {
    importing.reset()
    setChosen(
      file
        ? {
            file,
            header: readHeader(
              await file
                .slice(0, HEADER_BYTES)
                .text()
                .catch(() => ''),
            ),
          }
        : null,
    )
  }
  const header = chosen?.header
  return (
    <div className={styles.section}>
      <h3 className={styles.heading}>{t('backup.import')}</h3>
      <div className={styles.file}>
        <label htmlFor={id}>{t('backup.file')}</label>
        {/* The file field is hidden, because browsers label it in the language of the browser. */}
        <input
          id={id}
          className="dl-sr"
          type="file"
          accept=".ndjson,.jsonl,.json"
          disabled={importing.isPending}
          onChange={(event) => void choose(event.currentTarget.files?.[0])}
        />
        <div className={styles.choose}>
          <Button
            component="label"
            htmlFor={id}
            variant="default"
            {...(importing.isPending && { 'data-disabled': true })}
          >
            {t('backup.chooseFile')}
          </Button>
          <span className={styles.fileName}>{chosen?.file.name ?? t('backup.noFile')}</span>
        </div>
      </div>
      {typeof header === 'string' && <Banner tone="error">{t(`errors.backup.${header}`)}</Banner>}
      {chosen && typeof header === 'object' && (
        <ChosenBackup
          file={chosen.file}
          header={header}
          isBusy={importing.isPending}
          error={importing.error}
          onImport={importing.mutate}
        />
      )}
      <div className={styles.result} aria-live="polite">
        {importing.data && <ImportResult result={importing.data} />}
      </div>
    </div>
  )
}

interface ChosenBackupProps {
  file: File
  header: BackupHeader
  isBusy: boolean
  error: unknown
  onImport: (order: ImportOrder) => void
}

function ChosenBackup({ file, header, isBusy, error, onImport }: ChosenBackupProps) {
  const { t, language } = useT()
  const [passphrase, setPassphrase] = useState('')
  const [mode, setMode] = useState<ImportOrder['mode']>('merge')
  const [isAsking, setAsking] = useState(false)
  const [isShown, setShown] = useState(false)
  const isMissing = header.has_secrets && passphrase === ''
  const isWrong = hasCode(error, 'backup.passphrase_wrong', 'backup.passphrase_missing')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setShown(true)
    if (isMissing) return
    if (mode === 'replace') setAsking(true)
    else onImport({ file, passphrase, mode })
  }
  const fieldError = isMissing
    ? isShown && t('errors.backup.passphrase_missing')
    : isWrong && errorText(error)
  return (
    <form className={styles.section} onSubmit={submit} noValidate>
      <p className={styles.about}>
        {t('backup.madeAt', { time: formatDateTime(header.created_at, language), version: header.product })}{' '}
        {t(header.has_secrets ? 'backup.withSecrets' : 'backup.withoutSecrets')}
      </p>
      <Counts counts={header.counts} />
      {header.has_secrets && (
        <PasswordField
          label={t('backup.passphrase')}
          autoComplete="off"
          value={passphrase}
          error={fieldError}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
      )}
      <RadioField
        label={t('backup.mode')}
        value={mode}
        options={(['merge', 'replace'] as const).map((value) => ({
          value,
          label: t(`backup.modes.${value}`),
          hint: t(`backup.modeHints.${value}`),
        }))}
        disabled={isBusy}
        onChange={setMode}
      />
      {error !== null && !isWrong && <Failure error={error} />}
      <div>
        <Button type="submit" loading={isBusy} leftSection={<IconUpload size={18} aria-hidden />}>
          {t('backup.importNow')}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('backup.confirm.title')}
          cancelLabel={t('common.cancel')}
          confirmLabel={t('backup.confirm.replace')}
          isDangerous
          onCancel={() => setAsking(false)}
          onConfirm={() => {
            setAsking(false)
            onImport({ file, passphrase, mode })
          }}
        >
          <p>{t('backup.confirm.text')}</p>
        </ConfirmDialog>
      )}
    </form>
  )
}
