import type { PasteDetail, ReadablePaste } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { hasCode } from '../../../../lib/api-error.ts'
import { errorText } from '../../../../i18n/error-text.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { notify } from '../../../../lib/notices.ts'
import { askForLogin, getSession, subscribeSession } from '../../../../domains/session/session.ts'
import { isSessionError } from '../../../../domains/session/session-notices.ts'
import { useIsBlank } from '../../../../domains/editor/document/use-document-text.ts'
import { EditorPane } from '../../../../domains/editor/editor-pane.tsx'
import { useLoginResolved } from '../../../../domains/session/use-login-resolved.ts'
import { useOnLogout } from '../../../../domains/session/use-on-logout.ts'
import { useWork } from '../../../../domains/session/use-work.ts'
import { FailedBanner } from '../../../../ui/feedback/failed-banner.tsx'
import { goOnHere } from '../../../../ui/focus/focus.ts'
import { Banner } from '../../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import { useLeaving } from '../../../../ui/dialogs/use-leaving.ts'
import { UnsavedDialog } from '../../../../ui/dialogs/unsaved-dialog.tsx'
import { useWrongFields, WrongFieldsBanner } from '../../../../ui/forms/wrong-fields.tsx'
import { readForEdit, readableFromDetail } from '../../api/pastes.queries.ts'
import { DraftStatus } from './draft-status.tsx'
import { EditFieldsForm } from './edit-fields.tsx'
import { focusEditor } from './focus-editor.ts'
import { PasteChangedDialog } from './paste-changed-dialog.tsx'
import styles from './paste-editor.module.css'
import { draftsOf, usePasteEdit } from './use-paste-edit.ts'

interface PasteEditorProps {
  slug: string
  onCancel: () => void
  /** Called with the saved share, whose slug might have changed. */
  onSaved: (paste: ReadablePaste) => void
}

/** Loads a text as its owner, and opens the form for editing. */
export function PasteEditor({ slug, ...rest }: PasteEditorProps) {
  const { t } = useT()
  const detail = useQuery({
    queryKey: ['own-paste', slug],
    queryFn: () => readForEdit(slug),
    gcTime: 0,
    staleTime: Infinity,
    // This query is not marked as private, because the end of a session must not remove unsaved changes.
  })
  useWork({ stays: true })
  useAnotherTry(detail)
  useOnLogout(rest.onCancel)
  if (detail.data)
    return (
      <EditForm
        key={`${detail.data.detail.updated_at} ${detail.data.continues}`}
        {...detail.data}
        onReload={() => void detail.refetch()}
        {...rest}
      />
    )
  if (!detail.error) return <SkeletonLines label={t('paste.editing.loading')} />
  return (
    <FailedBanner
      error={detail.error}
      onRetry={() => void detail.refetch()}
      more={
        <Button size="compact-sm" variant="default" onClick={rest.onCancel}>
          {t('common.cancel')}
        </Button>
      }
    />
  )
}

/** Retries after a login if the session had ended. */
function useAnotherTry({ error, refetch }: Pick<UseQueryResult, 'error' | 'refetch'>) {
  const waits = isSessionError(error)
  useEffect(() => {
    if (!waits) return undefined
    return subscribeSession(() => {
      if (getSession().kind !== 'none') void refetch()
    })
  }, [waits, refetch])
}

function LogInButton() {
  const { t } = useT()
  return (
    <Button size="compact-md" onClick={askForLogin}>
      {t('common.logIn')}
    </Button>
  )
}

interface EditFormProps extends Omit<PasteEditorProps, 'slug'> {
  detail: PasteDetail
  /** ID of the last pending change that `detail` already includes; `null` for none. */
  continues: number | null
  onReload: () => void
}

interface SaveInput {
  readonly edit: ReturnType<typeof usePasteEdit>
  readonly formId: string
  readonly isBlank: boolean
  readonly onSaved: PasteEditorProps['onSaved']
}

/** Saves the form, or focuses an invalid field. */
function useSave({ edit, formId, isBlank, onSaved }: SaveInput) {
  const { t } = useT()
  const wrong = useWrongFields(formId, !edit.isValid)
  const [isEmptyRefused, setEmptyRefused] = useState(false)
  const save = async (how?: { isForced: boolean }) => {
    setEmptyRefused(isBlank)
    if (isBlank) focusEditor()
    else if (!edit.isValid) wrong.refuse()
    if (isBlank || !edit.isValid || edit.isBusy) return
    const saved = await edit.save(how)
    if (!saved) return
    if (saved.isWaiting) notify('info', t('errors.client.queued'))
    else notify('success', t('paste.editing.saved'))
    onSaved(readableFromDetail(saved.detail))
  }
  return { wrong, isEmptyRefused, save }
}

function EditForm({ detail, continues, onReload, onCancel, onSaved }: EditFormProps) {
  const { t } = useT()
  const edit = usePasteEdit(detail, continues)
  const { leave, question } = useLeaving({
    hasChanges: edit.hasChanges,
    onDiscard: () => {
      void edit.keep().then((isStored) => isStored && notify('info', t('editor.drafts.kept')))
      edit.clear()
    },
    onLeave: onCancel,
  })
  const isBlank = useIsBlank(edit.document)
  const isSlugTaken = hasCode(edit.error, 'paste.slug_taken')
  const formId = useId()
  const { wrong, isEmptyRefused, save } = useSave({ edit, formId, isBlank, onSaved })
  const isChanged = hasCode(edit.error, 'paste.changed')
  const isSaid = useLoginResolved(edit.error) || isChanged || isSlugTaken
  return (
    <div className={styles.form}>
      <h1 ref={goOnHere} tabIndex={-1} className={styles.title}>
        {t('paste.editing.title')}
      </h1>
      {edit.error !== null && !isSaid && (
        <Banner tone="error" actions={isSessionError(edit.error) && <LogInButton />}>
          {errorText(edit.error)} · {t('paste.editing.notSaved')}
        </Banner>
      )}
      <EditorPane
        document={edit.document}
        contentType={edit.fields.contentType}
        onContentType={(contentType) => edit.setFields({ ...edit.fields, contentType })}
        onSubmit={() => void save()}
        drafts={draftsOf(detail)}
        status={<DraftStatus isRestored={edit.isRestored} hasRoom onDiscard={edit.discard} />}
      />
      <EditFieldsForm
        id={formId}
        onSubmit={() => void save()}
        detail={detail}
        fields={edit.fields}
        slugError={isSlugTaken ? errorText(edit.error) : null}
        onChange={edit.setFields}
      />
      {isBlank && (
        <Banner key={String(isEmptyRefused)} tone={isEmptyRefused ? 'error' : 'warning'}>
          {t('errors.paste.content_empty')}
        </Banner>
      )}
      <WrongFieldsBanner refusals={wrong.refusals} />
      <div className={styles.actions}>
        <Button type="submit" form={formId} loading={edit.isBusy}>
          {t('common.save')}
        </Button>
        <Button variant="default" disabled={edit.isBusy} onClick={leave}>
          {t('common.cancel')}
        </Button>
      </div>
      {isChanged && (
        <PasteChangedDialog
          slug={detail.slug}
          mine={edit.document.read()}
          onMine={() => void save({ isForced: true })}
          onTheirs={() => {
            edit.discard()
            onReload()
          }}
          onClose={edit.forgetError}
        />
      )}
      {question && (
        <UnsavedDialog
          {...(edit.document.read() !== detail.content && { text: t('paste.editing.leaveText') })}
          onStay={question.stay}
          onLeave={question.discard}
        />
      )}
    </div>
  )
}
