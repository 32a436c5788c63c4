import { PASTE_SORTS } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconTextPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { useShareTable } from '../../../domains/shares/share-list-search.ts'
import { useEndedTask } from '../../../domains/transfers/tasks/use-ended-task.ts'
import { PageMessage } from '../../../ui/feedback/message.tsx'
import { AskLimited } from '../../../domains/shares/table/ask-limited.tsx'
import { DeleteSharesDialog } from '../../../domains/shares/table/delete-shares-dialog.tsx'
import { ShareTable } from '../../../domains/shares/table/share-table.tsx'
import {
  clearExpiredPastes,
  deleteMatchingPastes,
  deletePastes,
  type ListedPaste,
  managedPasteQueries,
} from '../api/manage-pastes.api.ts'
import { afterTextShareChange } from '../api/pastes.queries.ts'
import { PasteActions } from '../components/paste-actions.tsx'
import { PasteEditor } from '../components/editor/paste-editor.tsx'
import { usePasteColumns } from '../components/use-paste-columns.tsx'

const fullName = ({ slug, remark, beginning }: ListedPaste) =>
  `/${slug} · ${remark ?? beginning.slice(0, 60)}`

/** Manages shared texts. The editor replaces the table. */
export function ManagePastesPage() {
  const queryClient = useQueryClient()
  const [edited, setEdited] = useState<string | null>(null)
  const [left, setLeft] = useState<string | null>(null)
  const leave = (slug: string) => {
    setEdited(null)
    setLeft(slug)
  }
  const refresh = () => afterTextShareChange(queryClient)
  useEndedTask('delete_texts', refresh)
  if (edited === null) return <PasteTable left={left} onEdit={setEdited} onChanged={refresh} />
  return (
    <PasteEditor
      slug={edited}
      onCancel={() => leave(edited)}
      onSaved={({ slug }) => {
        refresh()
        leave(slug)
      }}
    />
  )
}

interface PasteTableProps {
  /** Slug of the text whose editor was closed last. */
  left: string | null
  onEdit: (slug: string) => void
  onChanged: () => void
}

function PasteTable({ left, onEdit, onChanged }: PasteTableProps) {
  const { t } = useT()
  const table = useShareTable(PASTE_SORTS)
  const { filters, sorting, pageSize, offset } = table
  const page = useQuery(managedPasteQueries.page({ filters, sorting, limit: pageSize, offset }))
  const columns = usePasteColumns()
  const hasLimited =
    page.data?.rows.some(({ maxViews, opening }) => maxViews !== null && !opening.asks) ?? false
  return (
    <ShareTable
      words={{
        title: t('manage.modules.text-management'),
        search: t('texts.search'),
        deleteOne: t('texts.deleteOne'),
        deleteMany: (count) => t('texts.deleteTitle', { count }),
        deleteText: (count) => t('texts.deleteText', { count }),
      }}
      table={table}
      page={page}
      columns={columns}
      spokenName={({ slug }) => slug}
      fullName={fullName}
      renderActions={(paste, onDelete) => (
        <PasteActions
          paste={paste}
          wasEdited={paste.slug === left}
          onEdit={() => onEdit(paste.slug)}
          onDelete={onDelete}
          onChanged={onChanged}
        />
      )}
      deleteRows={(pastes) => deletePastes(pastes.map(({ id }) => id))}
      deleteMatching={() => deleteMatchingPastes(filters)}
      onChanged={onChanged}
      actions={hasLimited && <AskLimited kind="paste" onChanged={onChanged} />}
      empty={
        <PageMessage
          level={2}
          icon={<IconTextPlus size={28} aria-hidden />}
          title={t('texts.empty.title')}
          text={t('texts.empty.text')}
        >
          <Button component={Link} to="/">
            {t('texts.empty.action')}
          </Button>
        </PageMessage>
      }
      cleaning={{
        label: t('texts.clean'),
        render: (close) => (
          <DeleteSharesDialog
            title={t('texts.cleanTitle')}
            text={t('texts.cleanText')}
            confirmLabel={t('texts.clean')}
            names={[]}
            run={clearExpiredPastes}
            onChanged={onChanged}
            onClose={close}
          />
        ),
      }}
    />
  )
}
