import { Button } from '@mantine/core'
import { IconDownload, IconKey, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiKeyQueries } from '../../../domains/api/api-key-queries.ts'
import { serverAddress } from '../../../lib/server-address.ts'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { saveBlob } from '../../../lib/browser/save-blob.ts'
import { useTableSearch } from '../../../lib/table-search.ts'
import { usePendingAction } from '../../../lib/pending-actions.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { type Column, DataTable } from '../../../ui/data-table/data-table.tsx'
import { NoMatch } from '../../../ui/data-table/no-match.tsx'
import { Pager } from '../../../ui/data-table/pager.tsx'
import { SearchField } from '../../../ui/data-table/search-field.tsx'
import { useSelection } from '../../../ui/data-table/selection.ts'
import { SelectionBar } from '../../../ui/data-table/selection-bar.tsx'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { ModuleList } from '../../../ui/layout/module-list.tsx'
import { ShareMenu } from '../../../domains/shares/table/share-menu.tsx'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import type { ApiKey } from '../api/api-keys.api.ts'
import styles from '../components/api-keys.module.css'
import type { RenderFolders } from '../components/base-path-field.tsx'
import { DeleteKeysDialog } from '../components/delete-keys-dialog.tsx'
import { KeyDialog } from '../components/key-dialog.tsx'
import { arrangeKeys, hasExpired, neverExpires } from '../models/key-table.ts'
import { profileOf, type Program, programsFor } from '../models/program-profiles.ts'

type OpenDialog =
  | { readonly kind: 'edit'; readonly key: ApiKey | null }
  | { readonly kind: 'delete'; readonly keys: readonly ApiKey[]; readonly onDeleted: () => void }

export function ApiKeysPage({ renderFolders }: { renderFolders: RenderFolders }) {
  const { t } = useT()
  const keys = useQuery(apiKeyQueries.all())
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = () => setDialog(null)
  const openNew = () => setDialog({ kind: 'edit', key: null })
  usePendingAction('new-key', openNew)
  const create = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={openNew}>
      {t('keys.create')}
    </Button>
  )
  return (
    <>
      <ModuleList
        title={t('manage.modules.key-management')}
        query={keys}
        actions={create}
        isEmpty={({ length }) => length === 0}
        empty={
          <PageMessage
            level={2}
            icon={<IconKey size={28} aria-hidden />}
            title={t('keys.empty.title')}
            text={t('keys.empty.text')}
          >
            {create}
          </PageMessage>
        }
      >
        {(data) => <KeyTable keys={data} isBusy={keys.isFetching} onOpen={setDialog} />}
      </ModuleList>
      {dialog?.kind === 'edit' && (
        <KeyDialog edited={dialog.key} renderFolders={renderFolders} onClose={close} />
      )}
      {dialog?.kind === 'delete' && (
        <DeleteKeysDialog
          keys={dialog.keys}
          onDeleted={() => {
            dialog.onDeleted()
            close()
          }}
          onClose={close}
        />
      )}
    </>
  )
}

interface KeyTableProps {
  keys: readonly ApiKey[]
  isBusy: boolean
  onOpen: (dialog: OpenDialog) => void
}

function KeyTable({ keys, isBusy, onOpen }: KeyTableProps) {
  const { t } = useT()
  const { search, page: wantedPage, pageSize, change } = useTableSearch()
  const words = search.q ?? ''
  const sorting = { by: search.sortBy ?? 'created', order: search.order ?? 'desc' } as const
  const matching = arrangeKeys(keys, { words, sortBy: sorting.by, order: sorting.order })
  const selection = useSelection(words)
  const columns = useKeyColumns()
  const page = Math.min(wantedPage, Math.max(1, Math.ceil(matching.length / pageSize)))
  const chosen = matching.filter(({ id }) => selection.has(id))
  const askToDelete = (doomed: readonly ApiKey[]) => {
    const ids = doomed.map(({ id }) => id)
    onOpen({ kind: 'delete', keys: doomed, onDeleted: () => selection.setRows(ids, false) })
  }
  return (
    <>
      <div className={styles.tools}>
        <SearchField
          label={t('keys.search')}
          value={words}
          onSearch={(q) => change({ q: q === '' ? undefined : q })}
        />
      </div>
      <SelectionBar selection={selection} matchingCount={matching.length}>
        <Button
          size="compact-md"
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => askToDelete(chosen)}
        >
          {t('keys.delete')}
        </Button>
      </SelectionBar>
      {matching.length === 0 ? (
        <NoMatch onClear={() => change({ q: undefined })} />
      ) : (
        <DataTable
          label={t('manage.modules.key-management')}
          columns={columns}
          rows={matching.slice((page - 1) * pageSize, page * pageSize)}
          rowId={({ id }) => id}
          rowName={({ name }) => name}
          sorting={sorting}
          onSort={({ by, order }) => change({ sortBy: by, order })}
          selection={selection}
          isBusy={isBusy}
          renderActions={(key) => (
            <>
              <ProgramMenu apiKey={key} />
              <ToolButton
                label={t('keys.editOf', { name: key.name })}
                icon={<IconPencil size={20} aria-hidden />}
                onClick={() => onOpen({ kind: 'edit', key })}
              />
              <ToolButton
                label={t('keys.deleteOf', { name: key.name })}
                icon={<IconTrash size={20} aria-hidden />}
                isDangerous
                onClick={() => askToDelete([key])}
              />
            </>
          )}
        />
      )}
      {matching.length > 0 && (
        <Pager
          page={page}
          pageSize={pageSize}
          total={matching.length}
          onPage={(next) => change({ page: next })}
          onPageSize={(size) => change({ size })}
        />
      )}
    </>
  )
}

/** Menu for downloading configuration files, which contain the key. */
function ProgramMenu({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useT()
  const programs = hasExpired(apiKey) ? [] : programsFor(apiKey)
  if (programs.length === 0) return null
  const save = (program: Program) => {
    const { name, content } = profileOf(program, { server: serverAddress(), key: apiKey })
    saveBlob(new Blob([content], { type: 'application/json' }), name)
    notify('success', t('keys.programs.saved'))
  }
  return (
    <ShareMenu
      label={t('keys.programs.of', { name: apiKey.name })}
      items={programs.map((program) => ({
        label: t(`keys.programs.${program}`),
        Icon: IconDownload,
        action: () => save(program),
      }))}
    />
  )
}

function useKeyColumns(): readonly Column<ApiKey>[] {
  const { t, language } = useT()
  const time = (instant: string) => (
    <time className={styles.time} dateTime={instant} title={formatDateTime(instant, language)}>
      {formatRelative(instant, language)}
    </time>
  )
  return [
    {
      id: 'name',
      header: t('keys.name'),
      sort: 'name',
      isTitle: true,
      cell: ({ name }) => (
        <span className={styles.name} title={name}>
          {name}
        </span>
      ),
    },
    {
      id: 'key',
      header: t('keys.key'),
      cell: (key) => (
        <span className={styles.key}>
          <code>{key.key_masked}</code>
          <CopyButton text={key.key} label={t('keys.copyOf', { name: key.name })} />
        </span>
      ),
    },
    { id: 'permissions', header: t('keys.permissions'), cell: (key) => <Permissions apiKey={key} /> },
    {
      id: 'path',
      header: t('keys.basePath'),
      isMinor: true,
      cell: (key) =>
        key.mount_permission === 1 ? (
          <span className={styles.basePath} title={key.basic_path}>
            {key.basic_path}
          </span>
        ) : (
          <span className={styles.faint}>–</span>
        ),
    },
    {
      id: 'created',
      header: t('keys.created'),
      sort: 'created',
      isMinor: true,
      cell: (key) => time(key.created_at),
    },
    {
      id: 'expires',
      header: t('keys.expires'),
      sort: 'expires',
      cell: (key) =>
        neverExpires(key) ? (
          <span className={styles.faint}>{t('keys.expiry.never')}</span>
        ) : (
          <span className={hasExpired(key) ? styles.over : undefined}>{time(key.expires_at)}</span>
        ),
    },
    {
      id: 'used',
      header: t('keys.lastUsed'),
      sort: 'used',
      isMinor: true,
      cell: (key) =>
        key.last_used === null ? (
          <span className={styles.faint}>{t('keys.neverUsed')}</span>
        ) : (
          time(key.last_used)
        ),
    },
  ]
}

function Permissions({ apiKey }: { apiKey: ApiKey }) {
  const { t } = useT()
  const names = [
    apiKey.text_permission === 1 && t('keys.text'),
    apiKey.file_permission === 1 && t('keys.file'),
    apiKey.mount_permission === 1 && t(apiKey.mount_read_only === 1 ? 'keys.mountReadOnly' : 'keys.mount'),
  ].filter((name) => name !== false)
  return (
    <span className={styles.chips}>
      {names.map((name) => (
        <span key={name} className={styles.chip}>
          {name}
        </span>
      ))}
      {names.length === 0 && (
        <span className={styles.chip} data-none>
          {t('keys.noPermission')}
        </span>
      )}
    </span>
  )
}
