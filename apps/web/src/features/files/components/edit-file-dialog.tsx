import type { FileDetail } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { hasCode } from '../../../lib/api-error.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../../domains/session/components/form-dialog.tsx'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { SelectField } from '../../../ui/forms/select-field.tsx'
import {
  ExpiryChangeField,
  PasswordChangeFields,
} from '../../../domains/shares/fields/share-change-fields.tsx'
import { chooseOpening, limitViews } from '../../../domains/shares/opening-edit.ts'
import { OpeningChangeFields } from '../../../domains/shares/fields/opening-change-fields.tsx'
import { MaxViewsField, RemarkField, SlugField } from '../../../domains/shares/fields/share-fields.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { updateFile } from '../api/files.api.ts'
import { afterFileShareChange, fileQueries } from '../api/files.queries.ts'
import type { FileEdits } from '../file-edits.ts'
import { changesOf, editsOf, openingAfter } from '../file-edits.ts'
import styles from './file-view.module.css'

interface EditFileDialogProps {
  id: string
  onSaved: (detail: FileDetail) => void
  onClose: () => void
}

export function EditFileDialog({ id, onSaved, onClose }: EditFileDialogProps) {
  const { t } = useT()
  const detail = useQuery(fileQueries.detail(id))
  if (detail.data) {
    return <EditForm detail={detail.data} onSaved={onSaved} onClose={onClose} />
  }
  return (
    <Dialog
      title={t('files.edit.title')}
      onClose={onClose}
      actions={
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
      }
    >
      {detail.isError ? <Failure error={detail.error} /> : <SkeletonLines label={t('files.edit.loading')} />}
    </Dialog>
  )
}

interface EditFormProps extends Omit<EditFileDialogProps, 'id'> {
  detail: FileDetail
}

function EditForm({ detail, onSaved, onClose }: EditFormProps) {
  const { t } = useT()
  const queryClient = useQueryClient()
  const [edits, setEdits] = useState<FileEdits>(() => editsOf(detail))
  const changes = changesOf(edits, detail)
  const saving = useMutation({
    mutationFn: (body: NonNullable<typeof changes>) => updateFile(queryClient, detail.id, body),
    onSuccess: (next) => {
      afterFileShareChange(queryClient)
      notify('success', t('files.edit.saved'))
      onClose()
      onSaved(next)
    },
  })
  const isSlugTaken = hasCode(saving.error, 'file.slug_taken')
  return (
    <FormDialog
      title={t('files.edit.title')}
      submitLabel={t('common.save')}
      isWrong={changes === null}
      isBusy={saving.isPending}
      failure={isSlugTaken ? null : saving.error}
      onSubmit={() => changes !== null && saving.mutate(changes)}
      onClose={onClose}
    >
      <EditFields
        edits={edits}
        detail={detail}
        slugError={isSlugTaken ? errorText(saving.error) : null}
        onChange={setEdits}
      />
    </FormDialog>
  )
}

interface EditFieldsProps {
  edits: FileEdits
  detail: FileDetail
  slugError: string | null
  onChange: (edits: FileEdits) => void
}

function EditFields({ edits, detail, slugError, onChange }: EditFieldsProps) {
  const { t } = useT()
  return (
    <>
      <RemarkField
        value={edits.remark}
        hint={t('files.upload.remarkHint')}
        onChange={(remark) => onChange({ ...edits, remark })}
      />
      <SlugField
        value={edits.slug}
        hint={t('common.slug.newHint')}
        error={slugError}
        onChange={(slug) => onChange({ ...edits, slug })}
      />
      <ExpiryChangeField
        value={edits.expiry}
        expiresAt={detail.expires_at}
        onChange={(expiry) => onChange({ ...edits, expiry })}
      />
      <div>
        <MaxViewsField
          value={edits.maxViews}
          onChange={(maxViews) => onChange({ ...edits, ...limitViews(edits, maxViews) })}
        />
        {detail.views > 0 && (
          <p className={styles.hint}>{t('files.edit.viewsHint', { count: detail.views })}</p>
        )}
      </div>
      <PasswordChangeFields
        change={edits.passwordMode}
        password={edits.password}
        hasPassword={detail.has_password === 1}
        hint={t('files.edit.passwordHint')}
        onChange={(passwordMode) => onChange({ ...edits, passwordMode })}
        onPassword={(password) => onChange({ ...edits, password })}
      />
      <OpeningChangeFields
        opening={edits.opening === 'burn' ? 'burn' : openingAfter(detail, edits)}
        pinChange={edits.pinMode}
        pin={edits.pin}
        hasPin={detail.has_pin}
        onOpening={(opening) => onChange({ ...edits, ...chooseOpening(opening) })}
        onPinChange={(pinMode) => onChange({ ...edits, pinMode })}
        onPin={(pin) => onChange({ ...edits, pin })}
      />
      <SelectField
        label={t('files.edit.linkMode')}
        value={edits.isProxied ? 'proxy' : 'direct'}
        options={[
          { value: 'proxy', label: t('files.edit.proxy') },
          { value: 'direct', label: t('files.edit.direct') },
        ]}
        onChange={(mode) => onChange({ ...edits, isProxied: mode === 'proxy' })}
      />
    </>
  )
}
