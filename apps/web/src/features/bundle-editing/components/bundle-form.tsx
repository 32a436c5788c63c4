import { BUNDLE_TITLE_MAX_LENGTH, type BundleDetail } from '@dropleaf/contract'
import { Button, TextInput } from '@mantine/core'
import { IconArrowLeft, IconHistory, IconSettings } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { EditorPane } from '../../../domains/editor/editor-pane.tsx'
import { SealedInserts } from '../../../domains/editor/uploads/sealed-inserts.tsx'
import { useIsBlank } from '../../../domains/editor/document/use-document-text.ts'
import { useLoginResolved } from '../../../domains/session/use-login-resolved.ts'
import { ApiError, hasCode } from '../../../lib/api-error.ts'
import { msUntil } from '../../../lib/format.ts'
import { notify } from '../../../lib/notices.ts'
import { UnsavedDialog } from '../../../ui/dialogs/unsaved-dialog.tsx'
import { useLeaving } from '../../../ui/dialogs/use-leaving.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { goOnHere } from '../../../ui/focus/focus.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import type { BundleAccess } from '../models/bundle-access.ts'
import { BundleChangedDialog } from './bundle-changed-dialog.tsx'
import { BundleFacts } from './bundle-facts.tsx'
import styles from './bundle-form.module.css'
import { BundleSettingsDialog } from './bundle-settings-dialog.tsx'
import { BundleVersionsDialog } from './bundle-versions-dialog.tsx'
import { ItemsPanel } from './items-panel.tsx'
import { type BundleEdit, useBundleEdit } from './use-bundle-edit.ts'
import { useEditedFiles } from './use-edited-files.ts'

export interface BundleFormProps {
  detail: BundleDetail
  /** Called once, at the first render. */
  makeAccess: () => BundleAccess
  /** Key of an encrypted bundle, which its links contain. */
  linkKey?: string
  /** Whether the form replaces an earlier form and must restore the focus. */
  takesFocus: boolean
  /** Fills the form with the current revision. */
  onReload: () => Promise<void>
  /** Called after the settings have changed, or the bundle was reset. */
  onSettings: () => void
  onLeave: () => void
}

/**
 * Returns a function that publishes the edit. If the edit is empty or changes nothing, the function only tells the user
 * so.
 */
function usePublish(edit: BundleEdit, onPublished: () => Promise<void>) {
  const { t } = useT()
  const [isEmptyRefused, setEmptyRefused] = useState(false)
  const isEmpty = useIsBlank(edit.document) && edit.items.length === 0
  const publish = async (expectedRevision?: number) => {
    setEmptyRefused(isEmpty)
    if (isEmpty || edit.step !== 'idle') return
    if (expectedRevision === undefined && !edit.hasChanges()) {
      notify('info', t('bundleEditing.nothingChanged'))
      return
    }
    if (!(await edit.publish(expectedRevision))) return
    notify('success', t('bundleEditing.published'))
    await onPublished()
  }
  return { publish, isEmptyRefused: isEmptyRefused && isEmpty }
}

export function BundleForm(props: BundleFormProps) {
  const { detail, takesFocus, onReload, onSettings, onLeave, linkKey } = props
  const { t } = useT()
  const edit = useBundleEdit(props.makeAccess)
  const beside = useEditedFiles(edit)
  const [dialog, setDialog] = useState<DialogName | null>(null)
  const { publish, isEmptyRefused } = usePublish(edit, onReload)
  /** Whether the user has confirmed to discard the changes. The navigation then must not ask again. */
  const isDiscarded = useRef(false)
  const { leave, question } = useLeaving({
    hasChanges: () => !isDiscarded.current && edit.hasChanges(),
    onDiscard: () => {
      isDiscarded.current = true
    },
    onLeave,
  })
  const close = () => setDialog(null)
  return (
    <div className={styles.form}>
      <Head takesFocus={takesFocus} onDialog={setDialog} />
      <States detail={detail} />
      <BundleFacts detail={detail} linkKey={linkKey ?? null} onChanged={onSettings} />
      <TextInput
        label={t('bundleEditing.name')}
        description={t('bundleEditing.nameHint')}
        maxLength={BUNDLE_TITLE_MAX_LENGTH}
        value={edit.title}
        onChange={(event) => edit.setTitle(event.currentTarget.value)}
      />
      <Panel title={t('bundleEditing.page')}>
        <SealedInserts isSealed={edit.access.isSealed}>
          <EditorPane
            document={edit.document}
            contentType={edit.contentType}
            onContentType={edit.setContentType}
            onSubmit={() => void publish()}
            beside={beside}
            drafts={{ place: `bundle:${detail.id}`, title: detail.title ?? detail.slug }}
          />
        </SealedInserts>
      </Panel>
      <ItemsPanel edit={edit} published={edit.access.published} />
      <Problems edit={edit} isEmptyRefused={isEmptyRefused} />
      <Actions step={edit.step} onPublish={() => void publish()} onLeave={leave} />
      {dialog === 'settings' && <BundleSettingsDialog detail={detail} onSaved={onSettings} onClose={close} />}
      {dialog === 'versions' && (
        <BundleVersionsDialog
          access={edit.access}
          hasChanges={edit.hasChanges()}
          onRestored={onReload}
          onClose={close}
        />
      )}
      {hasCode(edit.error, 'bundle.changed') && (
        <BundleChangedDialog
          access={edit.access}
          mine={edit.manifest()}
          onMine={(revision) => void publish(revision)}
          onTheirs={() => {
            edit.forgetError()
            void onReload()
          }}
          onClose={edit.forgetError}
        />
      )}
      {question && (
        <UnsavedDialog
          text={t('bundleEditing.leaveText')}
          onStay={question.stay}
          onLeave={question.discard}
        />
      )}
    </div>
  )
}

type DialogName = 'settings' | 'versions'

interface HeadProps extends Pick<BundleFormProps, 'takesFocus'> {
  onDialog: (name: DialogName) => void
}

function Head({ takesFocus, onDialog }: HeadProps) {
  const { t } = useT()
  return (
    <header className={styles.head}>
      <h1 ref={takesFocus ? goOnHere : undefined} tabIndex={-1} className={styles.title}>
        {t('bundleEditing.title')}
      </h1>
      <Button
        variant="default"
        leftSection={<IconSettings size={18} aria-hidden />}
        onClick={() => onDialog('settings')}
      >
        {t('bundleEditing.settings')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconHistory size={18} aria-hidden />}
        onClick={() => onDialog('versions')}
      >
        {t('bundleEditing.versions')}
      </Button>
    </header>
  )
}

interface ActionsProps extends Pick<BundleEdit, 'step'> {
  onPublish: () => void
  onLeave: () => void
}

function Actions({ step, onPublish, onLeave }: ActionsProps) {
  const { t } = useT()
  return (
    <div className={styles.actions}>
      <Button loading={step !== 'idle'} onClick={onPublish}>
        {t('bundleEditing.publish')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconArrowLeft className={styles.arrow ?? ''} size={18} aria-hidden />}
        onClick={onLeave}
      >
        {t('bundleEditing.back')}
      </Button>
      <output className={styles.note}>{step === 'uploading' && t('bundleEditing.publishing')}</output>
    </div>
  )
}

/** Explains why the bundle cannot be opened. */
function States({ detail }: { detail: BundleDetail }) {
  const { t } = useT()
  const { revision, expires_at: expiresAt, max_views: maxViews, views } = detail
  return (
    <>
      {revision === 0 && <Banner tone="info">{t('bundleEditing.draft')}</Banner>}
      {expiresAt !== null && msUntil(expiresAt) <= 0 && (
        <Banner tone="warning">{t('bundleEditing.expired')}</Banner>
      )}
      {maxViews !== null && views >= maxViews && <Banner tone="warning">{t('bundleEditing.usedUp')}</Banner>}
    </>
  )
}

function Problems({ edit, isEmptyRefused }: { edit: BundleEdit; isEmptyRefused: boolean }) {
  const { t } = useT()
  const { error } = edit
  const isSaid = useLoginResolved(error) || hasCode(error, 'bundle.changed')
  const gone = hasCode(error, 'bundle.item_gone') && error instanceof ApiError ? error.details[0] : undefined
  return (
    <>
      {isEmptyRefused && <Banner tone="error">{t('bundleEditing.empty')}</Banner>}
      {edit.isStuck && <Banner tone="error">{t('bundleEditing.stuck')}</Banner>}
      {edit.isFull && <Banner tone="error">{t('bundleEditing.items.tooMany')}</Banner>}
      {error !== null && !isSaid && (
        <Banner tone="error">
          {errorText(error)} · {t('bundleEditing.notPublished')}
          {gone && ` · ${t('bundleEditing.gone', { name: gone.message })}`}
        </Banner>
      )}
    </>
  )
}
