import { PASTE_SORTS } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconTextPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { errorText, tellQueued } from '../../../lib/i18n/error-text.ts'
import { useT } from '../../../lib/i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { useShareTable } from '../../../lib/share-table.ts'
import { useEndedTask } from '../../../lib/transfers/use-ended-task.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import formStyles from '../../../ui/form.module.css'
import { Banner, PageMessage } from '../../../ui/message.tsx'
import { ShareTable } from '../../../ui/share-table/share-table.tsx'
import {
  clearExpiredPastes,
  deleteMatchingPastes,
  deletePastes,
  type ListedPaste,
  managedPasteQueries,
} from '../api/manage-pastes.api.ts'
import { afterTextShareChange } from '../api/pastes.queries.ts'
import { PasteActions } from '../components/paste-actions.tsx'
import { PasteEditor } from '../components/paste-editor.tsx'
import { usePasteColumns } from '../components/use-paste-columns.tsx'

const fullName = ({ slug, remark, beginning }: ListedPaste) =>
  `/${slug} · ${remark ?? beginning.slice(0, 60)}`

/** The text shares that the caller manages; one that is edited takes the place of the table. */
export function ManagePastesPage() {
  const queryClient = useQueryClient()
  const [edited, setEdited] = useState<string | null>(null)
  const refresh = () => afterTextShareChange(queryClient)
  useEndedTask('delete_texts', refresh)
  if (edited === null) return <PasteTable onEdit={setEdited} onChanged={refresh} />
  return (
    <PasteEditor
      slug={edited}
      onCancel={() => setEdited(null)}
      onSaved={() => {
        refresh()
        setEdited(null)
      }}
    />
  )
}

function PasteTable({ onEdit, onChanged }: { onEdit: (slug: string) => void; onChanged: () => void }) {
  const { t } = useT()
  const table = useShareTable(PASTE_SORTS)
  const { filters, sorting, pageSize, offset } = table
  const page = useQuery(managedPasteQueries.page({ filters, sorting, limit: pageSize, offset }))
  const columns = usePasteColumns()
  return (
    <ShareTable
      words={{
        title: t('manage.modules.text-management'),
        search: t('texts.search'),
        clean: t('texts.clean'),
        deleteOne: t('texts.deleteOne'),
        deleteMany: (count) => t('texts.deleteTitle', { count }),
        deleteText: t('texts.deleteText'),
      }}
      table={table}
      page={page}
      columns={columns}
      spokenName={({ slug }) => slug}
      fullName={fullName}
      renderActions={(paste, onDelete) => (
        <PasteActions paste={paste} onEdit={() => onEdit(paste.slug)} onDelete={onDelete} />
      )}
      deleteRows={(pastes) => deletePastes(pastes.map(({ id }) => id))}
      deleteMatching={() => deleteMatchingPastes(filters)}
      onChanged={onChanged}
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
      renderCleaning={(close) => <CleanDialog onCleaned={onChanged} onClose={close} />}
    />
  )
}

function CleanDialog({ onCleaned, onClose }: { onCleaned: () => void; onClose: () => void }) {
  const { t, language } = useT()
  const cleaning = useMutation({
    mutationFn: clearExpiredPastes,
    onSuccess: (count) => {
      notify('success', t('texts.cleaned', { count: formatNumber(count, language) }))
      onCleaned()
      onClose()
    },
    onError: (error) => {
      if (tellQueued(error)) onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t('texts.cleanTitle')}
      cancelLabel={t('common.cancel')}
      confirmLabel={t('texts.clean')}
      isDangerous
      isBusy={cleaning.isPending}
      onCancel={onClose}
      onConfirm={() => cleaning.mutate()}
    >
      <p className={formStyles.text}>{t('texts.cleanText')}</p>
      {cleaning.isError && <Banner tone="error">{errorText(cleaning.error)}</Banner>}
    </ConfirmDialog>
  )
}
