import type { BundleDetail } from '@dropleaf/contract'
import { Input } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { FormDialog } from '../../../domains/session/components/form-dialog.tsx'
import { OpeningChangeFields } from '../../../domains/shares/fields/opening-change-fields.tsx'
import {
  ExpiryChangeField,
  PasswordChangeFields,
} from '../../../domains/shares/fields/share-change-fields.tsx'
import { MaxViewsField, RemarkField, SlugField } from '../../../domains/shares/fields/share-fields.tsx'
import { chooseOpening, limitViews } from '../../../domains/shares/opening-edit.ts'
import { hasCode } from '../../../lib/api-error.ts'
import { notify } from '../../../lib/notices.ts'
import formStyles from '../../../ui/forms/form.module.css'
import { updateBundle } from '../api/own-bundles.queries.ts'
import { openingAfter, settingChanges, settingsOf } from '../models/bundle-settings.ts'

interface BundleSettingsDialogProps {
  detail: BundleDetail
  onSaved: () => void
  onClose: () => void
}

/** Edits the settings of a bundle, such as its link, limits and opening, but not its contents. */
export function BundleSettingsDialog({ detail, onSaved, onClose }: BundleSettingsDialogProps) {
  const { t } = useT()
  const [edits, setEdits] = useState(() => settingsOf(detail))
  const changes = settingChanges(edits, detail)
  const saving = useMutation({
    mutationFn: (body: NonNullable<typeof changes>) => updateBundle(detail.id, body),
    onSuccess: () => {
      notify('success', t('bundleEditing.options.saved'))
      onClose()
      onSaved()
    },
  })
  const isSlugTaken = hasCode(saving.error, 'bundle.slug_taken')
  const change = (more: Partial<typeof edits>) => setEdits({ ...edits, ...more })
  return (
    <FormDialog
      title={t('bundleEditing.options.title')}
      submitLabel={t('common.save')}
      isWrong={changes === null}
      isBusy={saving.isPending}
      failure={isSlugTaken ? null : saving.error}
      onSubmit={() => changes !== null && saving.mutate(changes)}
      onClose={onClose}
    >
      <RemarkField
        label={t('bundleEditing.options.note')}
        hint={t('bundleEditing.options.noteHint')}
        value={edits.remark}
        onChange={(remark) => change({ remark })}
      />
      <SlugField
        value={edits.slug}
        hint={t('common.slug.newHint')}
        error={isSlugTaken ? errorText(saving.error) : null}
        onChange={(slug) => change({ slug })}
      />
      <ExpiryChangeField
        value={edits.expiry}
        expiresAt={detail.expires_at}
        onChange={(expiry) => change({ expiry })}
      />
      <div>
        <MaxViewsField value={edits.maxViews} onChange={(maxViews) => change(limitViews(edits, maxViews))} />
        {detail.views > 0 && (
          <p className={formStyles.text}>{t('bundleEditing.options.viewsHint', { count: detail.views })}</p>
        )}
      </div>
      {detail.sealed === null ? (
        <PasswordChangeFields
          change={edits.passwordChange}
          password={edits.password}
          hasPassword={detail.has_password}
          hint={t('bundleEditing.options.passwordHint')}
          onChange={(passwordChange) => change({ passwordChange })}
          onPassword={(password) => change({ password })}
        />
      ) : (
        <Input.Wrapper labelElement="div" label={t('common.password.label')}>
          {detail.has_password && <p className={formStyles.text}>{t('sealing.onlyYou')}</p>}
          <p className={formStyles.text}>{t('sealing.noPasswordChange')}</p>
        </Input.Wrapper>
      )}
      <OpeningChangeFields
        opening={edits.opening === 'burn' ? 'burn' : openingAfter(detail, edits)}
        pinChange={edits.pinChange}
        pin={edits.pin}
        hasPin={detail.has_pin}
        onOpening={(opening) => change(chooseOpening(opening))}
        onPinChange={(pinChange) => change({ pinChange })}
        onPin={(pin) => change({ pin })}
      />
    </FormDialog>
  )
}
