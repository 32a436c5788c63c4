import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { hasCode } from '../../../../lib/api-error.ts'
import { type Encoding, ENCODINGS } from '../../../../lib/text/detect-encoding.ts'
import { errorText } from '../../../../i18n/error-text.ts'
import { useT } from '../../../../i18n/use-translation.ts'
import { keyMap } from '../../../../lib/keyboard/key-map.ts'
import { readableKey } from '../../../../lib/keyboard/keys.ts'
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx'
import { SmallSelect } from '../../../../domains/preview/small-select.tsx'
import { FailedBanner } from '../../../../ui/feedback/failed-banner.tsx'
import { Banner } from '../../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../../ui/feedback/skeleton.tsx'
import { EditorFrame } from '../../../../domains/editor/editor-frame.tsx'
import { findFileKind } from '../../../../domains/preview/kinds/file-kind.ts'
import { useLoginResolved } from '../../../../domains/session/use-login-resolved.ts'
import type { LoadedText } from '../../api/text-file.api.ts'
import { loadText } from '../../api/text-file.api.ts'
import { findUnsavedEdit } from '../../api/unsaved-edits.ts'
import { nameOfPath } from '../../models/fs-paths.ts'
import type { UnsavedEdit } from '../../models/unsaved-edit.ts'
import { ChangedDialog } from '../dialogs/changed-dialog.tsx'
import styles from './preview.module.css'
import { useTextEdit } from './use-text-edit.ts'

interface TextFileEditorProps {
  path: string
  onEnd: () => void
}

/** Loads a text file and edits it. */
export function TextFileEditor({ path, onEnd }: TextFileEditorProps) {
  const { t } = useT()
  const [chosenEncoding, setChosenEncoding] = useState<Encoding | null>(null)
  const loaded = useQuery({
    queryKey: ['fs', 'edit', path, chosenEncoding],
    queryFn: async ({ signal }) => {
      const kept = await findUnsavedEdit(path)
      return { initial: await loadOrUnsaved(path, kept, { chosenEncoding, signal }), kept }
    },
    // A refetch must not replace what the user edits. The next editor loads the file again.
    staleTime: Infinity,
    gcTime: 0,
    // This query is not marked as private, so that its data stays when the session has ended, and editing can continue
    // after the next login.
    refetchOnReconnect: false,
  })
  if (loaded.isPending) return <SkeletonLines label={t('preview.loading')} />
  if (loaded.isError) {
    return (
      <FailedBanner
        error={loaded.error}
        onRetry={hasCode(loaded.error, 'client.not_text') ? null : () => void loaded.refetch()}
        more={
          <>
            {chosenEncoding !== null && (
              <EncodingSelect value={chosenEncoding} onChange={setChosenEncoding} />
            )}
            <Button size="compact-sm" variant="default" onClick={onEnd}>
              {t('common.cancel')}
            </Button>
          </>
        }
      />
    )
  }
  return (
    <LoadedEditor
      key={chosenEncoding}
      path={path}
      {...loaded.data}
      onEnd={onEnd}
      onEncoding={setChosenEncoding}
    />
  )
}

interface EncodingSelectProps {
  value: Encoding
  onChange: (encoding: Encoding) => void
}

function EncodingSelect({ value, onChange }: EncodingSelectProps) {
  const { t } = useT()
  return (
    <SmallSelect
      label={t('explorer.edit.encoding')}
      value={value}
      options={ENCODINGS.map((name) => ({ value: name, label: name.toUpperCase() }))}
      onChange={(name) => onChange(name as Encoding)}
    />
  )
}

/** Loads a file. For a deleted file with unsaved changes, returns an empty text, so that the changes can be saved. */
async function loadOrUnsaved(
  path: string,
  kept: UnsavedEdit | null,
  options: { chosenEncoding: Encoding | null; signal: AbortSignal },
): Promise<LoadedText> {
  try {
    return await loadText(path, options)
  } catch (error) {
    if (kept === null || !hasCode(error, 'fs.not_found')) throw error
    return { text: '', etag: kept.etag, encoding: 'utf-8', mark: '' }
  }
}

interface LoadedEditorProps extends TextFileEditorProps {
  initial: LoadedText
  kept: UnsavedEdit | null
  /** Loads the file again in another encoding. */
  onEncoding: (encoding: Encoding) => void
}

function LoadedEditor({ path, initial, kept, onEnd, onEncoding }: LoadedEditorProps) {
  const { t } = useT()
  const edit = useTextEdit({ path, initial, kept, onEnd })
  const isSettled = useLoginResolved(edit.error)
  const name = nameOfPath(path)
  const words = useMemo(
    () => ({
      label: t('explorer.edit.label', { name }),
      help: t('explorer.edit.help', { key: readableKey(keyMap.preview.save[0]) }),
      placeholder: '',
    }),
    [t, name],
  )
  const drafts = { place: `file:${path}`, title: name }
  return (
    <div className={styles.editor}>
      <div className={styles.editorBar}>
        <output className={styles.editorState}>
          {edit.isDirty ? t('explorer.edit.unsaved') : edit.isSaved ? t('explorer.edit.saved') : ''}
        </output>
        <Button variant="default" onClick={edit.leave}>
          {t(edit.isDirty ? 'common.cancel' : 'common.close')}
        </Button>
        <Button loading={edit.isBusy} disabled={!edit.isDirty} onClick={edit.save}>
          {t('common.save')}
        </Button>
      </div>
      {!edit.hasRoom && <Banner tone="warning">{t('explorer.edit.noRoom')}</Banner>}
      {edit.isRestored && <Banner tone="info">{t('explorer.edit.restored')}</Banner>}
      {edit.form.encoding !== 'utf-8' && (
        <Banner
          tone="warning"
          // The encoding can be changed only without unsaved changes, because another encoding loads the file again and
          // would discard the changes.
          actions={!edit.isDirty && <EncodingSelect value={edit.form.encoding} onChange={onEncoding} />}
        >
          {t('explorer.edit.foreign', { encoding: edit.form.encoding.toUpperCase() })}
        </Banner>
      )}
      {edit.error !== null && !isSettled && (
        <Banner tone="error">{t('explorer.edit.failed', { reason: errorText(edit.error) })}</Banner>
      )}
      <div className={styles.editorField}>
        <EditorFrame
          document={edit.document}
          isMarkdown={findFileKind({ mimetype: '', filename: name }) === 'markdown'}
          words={words}
          onSubmit={edit.save}
          filename={name}
          drafts={drafts}
          takesFocus
          isForeign
        />
      </div>
      {edit.conflict && <ChangedDialog name={name} {...edit.conflict} />}
      {edit.leaving && (
        <ConfirmDialog
          title={t('explorer.edit.leaveTitle')}
          cancelLabel={t('explorer.edit.stay')}
          confirmLabel={t('explorer.edit.discard')}
          isDangerous
          onCancel={edit.leaving.stay}
          onConfirm={edit.leaving.discard}
        >
          {t('explorer.edit.leaveText', { name })}
        </ConfirmDialog>
      )}
    </div>
  )
}
