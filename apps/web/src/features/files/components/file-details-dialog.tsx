import type { FileDetail, FileListItem } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconDownload, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { formatBytes, formatDateTime } from '../../../lib/format.ts'
import { displayName } from '../../../domains/storages/display-name.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { useStorageLabel } from '../../../domains/storages/storage-label.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { OpeningDetails, openingFactsOf } from '../../../domains/shares/table/opening-facts.tsx'
import { CreatorCell, ExpiryCell, ViewsCell } from '../../../domains/shares/table/share-cells.tsx'
import { fileShareUrl } from '../../../domains/transfers/uploads/file-share-url.ts'
import { fileQueries } from '../api/files.queries.ts'
import styles from './manage-files.module.css'

/** Shows all facts of a share to its owner, without counting a view. */
export function FileDetailsDialog({ file, onClose }: { file: FileListItem; onClose: () => void }) {
  const { t, language } = useT()
  const labelOf = useStorageLabel()
  const detail = useQuery(fileQueries.detail(file.id))
  const link = fileShareUrl(file.slug)
  const code = (text: string | null) => (text === null ? '–' : <code>{text}</code>)
  return (
    <Dialog title={showInvisible(file.filename)} onClose={onClose} isWide>
      <dl className={styles.facts}>
        <dt>{t('fileShares.details.link')}</dt>
        <dd>
          <a href={link} target="_blank" rel="noopener">
            /{file.slug}
          </a>
          <CopyButton text={link} label={t('shares.actions.copyLink')} />
        </dd>
        <dt>{t('shares.columns.size')}</dt>
        <dd>{formatBytes(file.size, language)}</dd>
        <dt>{t('fileShares.details.type')}</dt>
        <dd>{file.mimetype}</dd>
        {file.remark && (
          <>
            <dt>{t('shares.columns.remark')}</dt>
            <dd>{file.remark}</dd>
          </>
        )}
        <dt>{t('fileShares.details.password')}</dt>
        <dd>{file.plain_password ?? t('fileShares.details.none')}</dd>
        <dt>{t('shares.columns.views')}</dt>
        <dd>
          <ViewsCell views={file.views} maxViews={file.max_views} />
        </dd>
        <dt>{t('common.opening.label')}</dt>
        <dd>
          <OpeningDetails facts={openingFactsOf(file)} />
        </dd>
        <dt>{t('shares.columns.expires')}</dt>
        <dd>
          <ExpiryCell expiresAt={file.expires_at} />
        </dd>
        <dt>{t('shares.columns.created')}</dt>
        <dd>{formatDateTime(file.created_at, language)}</dd>
        <dt>{t('shares.columns.creator')}</dt>
        <dd>
          <CreatorCell createdBy={file.created_by} keyName={file.key_name} />
        </dd>
        <dt>{t('fileShares.details.mode')}</dt>
        <dd>{t(file.use_proxy === 1 ? 'fileShares.details.proxy' : 'fileShares.details.direct')}</dd>
        <dt>{t('fileShares.details.storage')}</dt>
        <dd>
          {file.s3_config_name === null
            ? '–'
            : labelOf({
                name: displayName(file.s3_config_name),
                provider_type: file.s3_provider_type ?? file.s3_config_name,
              })}
          {file.is_linked && ` · ${t('fileShares.linked')}`}
        </dd>
        <dt>{t('fileShares.details.path')}</dt>
        <dd>{code(file.storage_path)}</dd>
        <dt>{t('fileShares.details.etag')}</dt>
        <dd>{code(file.etag)}</dd>
        <dt>{t('fileShares.details.sha256')}</dt>
        <dd>{code(file.sha256)}</dd>
      </dl>
      {detail.isError && <Failure error={detail.error} />}
      {detail.data && <FileLinks urls={detail.data.urls} />}
    </Dialog>
  )
}

function FileLinks({ urls }: { urls: FileDetail['urls'] }) {
  const { t } = useT()
  return (
    <div className={styles.tools}>
      <Button
        component="a"
        href={urls.proxyPreviewUrl}
        target="_blank"
        rel="noopener"
        variant="default"
        leftSection={<IconExternalLink size={18} aria-hidden />}
      >
        {t('fileShares.details.preview')}
      </Button>
      <Button
        component="a"
        href={urls.proxyDownloadUrl}
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
      >
        {t('fileShares.details.download')}
      </Button>
    </div>
  )
}
