import { FILE_SORTS } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useT } from '../../../i18n/use-translation.ts'
import { useSession } from '../../../domains/session/session.ts'
import { useShareTable } from '../../../domains/shares/share-list-search.ts'
import { useEndedTask } from '../../../domains/transfers/tasks/use-ended-task.ts'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { AskLimited } from '../../../domains/shares/table/ask-limited.tsx'
import { DeleteSharesDialog } from '../../../domains/shares/table/delete-shares-dialog.tsx'
import { FilterSelect } from '../../../domains/shares/table/share-filters.tsx'
import { ShareTable } from '../../../domains/shares/table/share-table.tsx'
import { afterFileShareChange, fileQueries } from '../api/files.queries.ts'
import {
  clearExpiredFiles,
  deleteFiles,
  deleteMatchingFiles,
  managedFileQueries,
} from '../api/manage-files.api.ts'
import { FileActions } from '../components/file-actions.tsx'
import { useFileColumns } from '../components/use-file-columns.tsx'

export function ManageFilesPage() {
  const { t } = useT()
  const queryClient = useQueryClient()
  const isAdmin = useSession().kind === 'admin'
  const table = useShareTable(FILE_SORTS)
  const { filters, sorting, pageSize, offset } = table
  const page = useQuery(managedFileQueries.page({ filters, sorting, limit: pageSize, offset }))
  const columns = useFileColumns()
  const hasLimited =
    page.data?.rows.some(({ max_views: limit, opening }) => limit !== null && opening === 'direct') ?? false
  const refresh = () => afterFileShareChange(queryClient)
  useEndedTask('delete_files', refresh)
  return (
    <ShareTable
      words={{
        title: t('manage.modules.file-management'),
        search: t('fileShares.search'),
        deleteOne: t('fileShares.deleteOne'),
        deleteMany: (count) => t('fileShares.deleteTitle', { count }),
        deleteText: (count) => t('fileShares.deleteText', { count }),
      }}
      table={table}
      page={page}
      columns={columns}
      spokenName={({ filename }) => filename}
      // The name is in Unicode isolates, so that a right-to-left name does not reorder the rest of the text.
      fullName={({ filename, slug }) => `\u2068${filename}\u2069 · /${slug}`}
      renderActions={(file, onDelete) => <FileActions file={file} onChanged={refresh} onDelete={onDelete} />}
      deleteRows={(files) => deleteFiles(files.map(({ id }) => id))}
      deleteMatching={() => deleteMatchingFiles(filters)}
      onChanged={refresh}
      actions={hasLimited && <AskLimited kind="file" onChanged={refresh} />}
      filters={
        isAdmin && (
          <StorageSelect value={filters.s3_config_id} onChange={(storage) => table.change({ storage })} />
        )
      }
      empty={
        <PageMessage
          level={2}
          icon={<IconFileUpload size={28} aria-hidden />}
          title={t('fileShares.empty.title')}
          text={t('fileShares.empty.text')}
        >
          <Button component={Link} to="/upload">
            {t('fileShares.empty.action')}
          </Button>
        </PageMessage>
      }
      cleaning={{
        label: t('fileShares.clean'),
        render: (close) => (
          <DeleteSharesDialog
            title={t('fileShares.cleanTitle')}
            text={t('fileShares.cleanText')}
            confirmLabel={t('fileShares.clean')}
            names={[]}
            run={clearExpiredFiles}
            onChanged={refresh}
            onClose={close}
          />
        ),
      }}
    />
  )
}

interface StorageSelectProps {
  value: string | undefined
  onChange: (value: string | undefined) => void
}

function StorageSelect({ value, onChange }: StorageSelectProps) {
  const { t } = useT()
  const { data: storages = [] } = useQuery(fileQueries.storages())
  return (
    <FilterSelect
      label={t('shares.columns.storage')}
      all={t('shares.anyStorage')}
      value={value}
      options={storages.map(({ id, name }) => ({ value: id, label: name }))}
      onChange={onChange}
    />
  )
}
