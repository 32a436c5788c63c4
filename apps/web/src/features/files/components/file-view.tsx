import { fileRoutes, type PublicFile } from '@dropleaf/contract'
import { lazy, Suspense, useMemo, useState } from 'react'
import { routeUrl } from '../../../domains/api/route-url.ts'
import { formatBytes } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { usePageTitle } from '../../../lib/browser/page-title.ts'
import { isOwner, useSession } from '../../../domains/session/session.ts'
import { can } from '../../../domains/session/stored-session.ts'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { showDetail } from '../file-edits.ts'
import { findSource } from '../file-source.ts'
import { DeleteFileDialog } from './delete-file-dialog.tsx'
import { FileFacts } from './file-facts.tsx'
import { FileIcon } from '../../../domains/preview/kinds/file-icon.tsx'
import { FilePreview } from '../../../domains/preview/file-preview.tsx'
import { fileShareUrl } from '../../../domains/transfers/uploads/file-share-url.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { goOnHere } from '../../../ui/focus/focus.ts'
import { OfflineCopy } from '../../../domains/offline/components/offline-copy.tsx'
import { FileTools } from './file-tools.tsx'
import styles from './file-view.module.css'

const EditFileDialog = lazy(async () => {
  const { EditFileDialog: Dialog } = await import('./edit-file-dialog.tsx')
  return { default: Dialog }
})

interface FileViewProps {
  file: PublicFile
  wasLocked: boolean
  onChanged: (file: PublicFile) => void
  onDeleted: () => void
  onReload: () => void
}

export function FileView({ file, wasLocked, onChanged, onDeleted, onReload }: FileViewProps) {
  const { t, language } = useT()
  const session = useSession()
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null)
  const kind = findFileKind(file)
  const isMine = can(session, 'file') && isOwner(session, file.created_by)
  const source = useMemo(() => findSource(file), [file])
  usePageTitle(file.filename)
  return (
    <article className={`${styles.page} dl-in-turn`} aria-label={showInvisible(file.filename)}>
      <header className={styles.head}>
        <div className={styles.icon}>
          <FileIcon kind={kind} size={28} />
        </div>
        <div className={styles.title}>
          <h1 ref={wasLocked ? goOnHere : undefined} tabIndex={-1} className={styles.name}>
            <DisplayName name={file.filename} />
          </h1>
          <p className={styles.kind}>
            {t(`preview.kinds.${kind}`)} · {formatBytes(file.size, language)}
          </p>
        </div>
      </header>
      <OfflineCopy
        url={routeUrl(fileRoutes.publicRead.path, { params: { slug: file.slug } })}
        onReload={onReload}
      />
      {file.remark && <p className={styles.remark}>{file.remark}</p>}
      <FileTools
        name={file.filename}
        link={fileShareUrl(file.slug)}
        downloadUrl={file.downloadUrl ?? null}
        owner={isMine ? { onEdit: () => setDialog('edit'), onDelete: () => setDialog('delete') } : null}
      />
      {source && <FilePreview source={source} kind={kind} />}
      <FileFacts file={file} />
      {dialog === 'edit' && (
        <Suspense>
          <EditFileDialog
            id={file.id}
            onSaved={(detail) => onChanged(showDetail(file, detail))}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
      {dialog === 'delete' && (
        <DeleteFileDialog file={file} onDeleted={onDeleted} onClose={() => setDialog(null)} />
      )}
    </article>
  )
}
