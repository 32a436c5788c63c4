import {
  OPENING_GRACE_MAX_MINUTES,
  SEALED_POLICIES,
  type SealedPolicy,
  WEBDAV_UPLOAD_MODES,
} from '@dropleaf/contract'
import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { useId, useState } from 'react'
import { isQueued } from '../../../lib/api-error.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { CheckField } from '../../../ui/forms/check-field.tsx'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { useWrongFields, WrongFieldsBanner } from '../../../ui/forms/wrong-fields.tsx'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { saveSettings, settingsQueries, type Settings } from '../api/settings.queries.ts'
import { parseSize, SIZE_UNITS, type SizeInput, sizeInputOf, type SizeProblem } from '../upload-size.ts'
import styles from './settings.module.css'

/** Settings of uploads and shares, such as the upload limit. */
export function UploadSettings() {
  const { t } = useT()
  const settings = useQuery(settingsQueries.all())
  // Stores the last known settings, because the end of a session clears the queries and the form must keep its input.
  const [known, setKnown] = useState(settings.data)
  if (settings.data && settings.data !== known) setKnown(settings.data)
  return (
    <section className={formStyles.panel} aria-labelledby="upload-settings">
      <h2 className={formStyles.subtitle} id="upload-settings">
        {t('settings.uploads.title')}
      </h2>
      {known ? (
        <UploadForm settings={known} />
      ) : settings.isError ? (
        <FailedBanner error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <SkeletonLines label={t('common.loading')} widths={['40%', '60%']} />
      )}
    </section>
  )
}

/** Whole minutes within the limit, or `null`. */
function parseGrace(text: string): number | null {
  const minutes = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Infinity
  return minutes <= OPENING_GRACE_MAX_MINUTES ? minutes : null
}

function GraceField({
  value,
  onChange,
  isWrong,
}: {
  value: string
  onChange: (value: string) => void
  isWrong: boolean
}) {
  const { t } = useT()
  return (
    <TextInput
      label={t('settings.uploads.openingGrace')}
      description={t('settings.uploads.openingGraceHint')}
      inputMode="numeric"
      maxLength={4}
      value={value}
      error={isWrong ? t('settings.uploads.problems.grace') : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface SizeFieldProps {
  value: SizeInput
  problem: SizeProblem | null
  onChange: (value: SizeInput) => void
}

function SizeField({ value, problem, onChange }: SizeFieldProps) {
  const { t } = useT()
  return (
    <div className={styles.size}>
      <TextInput
        label={t('settings.uploads.maxSize')}
        description={t('settings.uploads.maxSizeHint')}
        inputMode="decimal"
        maxLength={20}
        value={value.amount}
        error={problem === null ? undefined : t(`settings.uploads.problems.${problem}`)}
        onChange={(event) => onChange({ ...value, amount: event.currentTarget.value })}
      />
      <SelectField
        label={t('settings.uploads.unit')}
        value={value.unit}
        options={SIZE_UNITS.map((unit) => ({ value: unit, label: unit }))}
        onChange={(unit) => onChange({ ...value, unit })}
      />
    </div>
  )
}

interface SealedPolicyFieldProps {
  value: SealedPolicy
  onChange: (value: SealedPolicy) => void
}

/** Chooses whether shares can or must be end-to-end encrypted. */
function SealedPolicyField({ value, onChange }: SealedPolicyFieldProps) {
  const { t } = useT()
  return (
    <SelectField
      label={t('settings.uploads.sealedPolicy')}
      description={t(`settings.uploads.sealedHints.${value}`)}
      value={value}
      options={SEALED_POLICIES.map((policy) => ({
        value: policy,
        label: t(`settings.uploads.sealedPolicies.${policy}`),
      }))}
      onChange={onChange}
    />
  )
}

function UploadForm({ settings }: { settings: Settings }) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [size, setSize] = useState(() => sizeInputOf(settings.maxUploadMb))
  const [mode, setMode] = useState(settings.webdavUploadMode)
  const [showsShareFiles, setShowsShareFiles] = useState(settings.showsShareFiles)
  const [sealedPolicy, setSealedPolicy] = useState(settings.sealedPolicy)
  const [grace, setGrace] = useState(String(settings.openingGraceMinutes))
  const parsed = parseSize(size)
  const openingGraceMinutes = parseGrace(grace)
  const saving = useMutation({
    mutationFn: (next: Settings) => saveSettings(queryClient, next),
    onSuccess: () => notify('success', t('settings.saved')),
  })
  const formId = useId()
  const wrong = useWrongFields(formId, typeof parsed === 'string' || openingGraceMinutes === null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typeof parsed === 'string' || openingGraceMinutes === null) wrong.refuse()
    else
      saving.mutate({
        maxUploadMb: parsed,
        webdavUploadMode: mode,
        showsShareFiles,
        openingGraceMinutes,
        sealedPolicy,
      })
  }
  const isChanged =
    parsed !== settings.maxUploadMb ||
    mode !== settings.webdavUploadMode ||
    showsShareFiles !== settings.showsShareFiles ||
    openingGraceMinutes !== settings.openingGraceMinutes ||
    sealedPolicy !== settings.sealedPolicy
  return (
    <form id={formId} className={formStyles.fields} onSubmit={submit} noValidate>
      <SizeField value={size} problem={typeof parsed === 'string' ? parsed : null} onChange={setSize} />
      <SelectField
        label={t('settings.uploads.webdavMode')}
        description={t(`settings.uploads.webdavHints.${mode}`)}
        value={mode}
        options={WEBDAV_UPLOAD_MODES.map((value) => ({
          value,
          label: t(`settings.uploads.webdavModes.${value}`),
        }))}
        onChange={setMode}
      />
      <CheckField
        label={t('settings.uploads.showShareFiles')}
        hint={t('settings.uploads.showShareFilesHint')}
        isChecked={showsShareFiles}
        onChange={setShowsShareFiles}
      />
      <SealedPolicyField value={sealedPolicy} onChange={setSealedPolicy} />
      <GraceField value={grace} onChange={setGrace} isWrong={openingGraceMinutes === null} />
      <WrongFieldsBanner refusals={wrong.refusals} />
      {isQueued(saving.error) && <Banner tone="info">{errorText(saving.error)}</Banner>}
      {saving.isError && !isQueued(saving.error) && <Failure error={saving.error} />}
      <div className={formStyles.row}>
        <Button type="submit" loading={saving.isPending} disabled={!isChanged}>
          {t('common.save')}
        </Button>
        <span className={formStyles.text}>{t('settings.uploads.atOnce')}</span>
      </div>
    </form>
  )
}
