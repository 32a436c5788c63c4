import type { Mount, StorageConfig } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconFolderSymlink, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { notify } from '../../../lib/notices.ts'
import { storageQueries } from '../../../domains/storages/storage-queries.ts'
import { useTableSearch } from '../../../lib/table-search.ts'
import { usePendingAction } from '../../../lib/pending-actions.ts'
import { NoMatch } from '../../../ui/data-table/no-match.tsx'
import { SearchField } from '../../../ui/data-table/search-field.tsx'
import { Banner, PageMessage } from '../../../ui/feedback/message.tsx'
import { ModuleList } from '../../../ui/layout/module-list.tsx'
import { afterMountChange } from '../api/after-mount-change.ts'
import { mountQueries, saveOrder, updateMount } from '../api/mounts.queries.ts'
import { searchMounts } from '../models/mount-list.ts'
import { planMove, withOrder } from '../models/mount-order.ts'
import { DeleteMountDialog } from './delete-mount-dialog.tsx'
import { MountDialog } from './mount-dialog.tsx'
import { type MountCommands, MountRow } from './mount-row.tsx'
import styles from './mounts.module.css'
import { useIndexes } from './use-indexes.ts'
import { useRowDrag } from './use-row-drag.ts'

type OpenDialog =
  | { readonly kind: 'edit'; readonly mount: Mount | null }
  | { readonly kind: 'delete'; readonly mount: Mount }

export function AdminMounts() {
  const { t } = useT()
  const mounts = useQuery(mountQueries.all())
  const storages = useQuery(storageQueries.all())
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const close = () => setDialog(null)
  const hasStorages = storages.data !== undefined && storages.data.length > 0
  const openNew = () => setDialog({ kind: 'edit', mount: null })
  // Without a storage, no mount can be created. The page explains this to the user.
  usePendingAction('new-mount', hasStorages ? openNew : null)
  const create = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} disabled={!hasStorages} onClick={openNew}>
      {t('mounts.create')}
    </Button>
  )
  const nameOf = nameIn(storages.data)
  return (
    <>
      <ModuleList
        title={t('manage.modules.mount-management')}
        query={mounts}
        more={[storages]}
        actions={create}
        tools={storages.data?.length === 0 && <NoStorages />}
        isEmpty={({ length }) => length === 0}
        empty={
          <PageMessage
            level={2}
            icon={<IconFolderSymlink size={28} aria-hidden />}
            title={t('mounts.empty.title')}
            text={t('mounts.empty.text')}
          >
            {create}
          </PageMessage>
        }
      >
        {() => <MountList nameOf={nameOf} onOpen={setDialog} />}
      </ModuleList>
      {dialog?.kind === 'edit' && (
        <MountDialog edited={dialog.mount} storages={storages.data ?? []} onClose={close} />
      )}
      {dialog?.kind === 'delete' && (
        <DeleteMountDialog
          mount={dialog.mount}
          storageName={nameOf(dialog.mount) ?? t('mounts.lostStorage')}
          onClose={close}
        />
      )}
    </>
  )
}

function NoStorages() {
  const { t } = useT()
  return (
    <Banner
      tone="warning"
      actions={
        <Link to="/admin/$module" params={{ module: 'storage-config' }}>
          {t('mounts.toStorages')}
        </Link>
      }
    >
      {t('mounts.noStorages')}
    </Banner>
  )
}

type NameOf = (mount: Mount) => string | null

const nameIn =
  (storages: readonly StorageConfig[] = []): NameOf =>
  (mount) =>
    storages.find(({ id }) => id === mount.storage_config_id)?.name ?? null

function useActivation() {
  const { t } = useT()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ mount, isActive }: { mount: Mount; isActive: boolean }) =>
      updateMount(mount.id, { is_active: isActive }),
    onSuccess: async (_reply, { mount, isActive }) => {
      await afterMountChange(queryClient)
      notify('success', t(isActive ? 'mounts.enabled' : 'mounts.disabled', { name: mount.name }))
    },
    onError: (error) => notify('error', errorText(error)),
  })
}

/** Shows a new order at once, and saves the moves one after the other. */
function useOrdering(mounts: readonly Mount[]) {
  const { t, language } = useT()
  const queryClient = useQueryClient()
  const [announcement, setAnnouncement] = useState('')
  const { queryKey } = mountQueries.all()
  const mutationKey = ['mount-order']
  const saving = useMutation({
    mutationKey,
    scope: { id: 'mount-order' },
    mutationFn: saveOrder,
    onError: (error) => notify('error', errorText(error)),
    onSettled: () => queryClient.isMutating({ mutationKey }) === 1 && afterMountChange(queryClient),
  })
  const move = (from: number, to: number) => {
    const changes = planMove(mounts, from, to)
    const mount = mounts[from]
    if (changes.length === 0 || !mount) return
    void queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, (before) => before && withOrder(before, changes))
    saving.mutate(changes)
    setAnnouncement(
      t('mounts.movedTo', {
        name: mount.name,
        place: formatNumber(to + 1, language),
        count: formatNumber(mounts.length, language),
      }),
    )
  }
  return { move, announcement }
}

interface MountListProps {
  nameOf: NameOf
  onOpen: (dialog: OpenDialog) => void
}

const NONE: readonly Mount[] = []

function MountList({ nameOf, onOpen }: MountListProps) {
  const { t } = useT()
  // The query is in this component, so that a dropped row is rendered in its new position at once.
  const { data: mounts = NONE } = useQuery(mountQueries.all())
  const { search, change } = useTableSearch()
  const words = search.q ?? ''
  const matching = searchMounts(mounts, words, (mount) => nameOf(mount) ?? '')
  const isOrdered = words.trim() === '' && mounts.length > 1
  const list = useRef<HTMLUListElement>(null)
  const { move, announcement } = useOrdering(mounts)
  const drag = useRowDrag(list, move)
  const keepFocus = useFocusFollowsOrder(mounts)
  const indexes = useIndexes()
  const activation = useActivation()
  const commands: MountCommands = {
    edit: (mount) => onOpen({ kind: 'edit', mount }),
    remove: (mount) => onOpen({ kind: 'delete', mount }),
    setActive: (mount, isActive) => activation.mutate({ mount, isActive }),
    index: indexes.ask,
  }
  const orderOf = (index: number) => ({
    isFirst: index === 0,
    isLast: index === mounts.length - 1,
    move: (by: -1 | 1) => {
      keepFocus()
      move(index, index + by)
    },
    grip: drag.gripProps(index),
    row: drag.rowProps(index),
  })
  return (
    <>
      <div className={styles.tools}>
        <SearchField
          label={t('mounts.search')}
          value={words}
          onSearch={(q) => change({ q: q === '' ? undefined : q })}
        />
      </div>
      <output className="dl-sr">{announcement}</output>
      {matching.length === 0 ? (
        <NoMatch onClear={() => change({ q: undefined })} />
      ) : (
        <ul
          ref={list}
          className={styles.list}
          aria-label={t('manage.modules.mount-management')}
          data-dragging={drag.isDragging || undefined}
        >
          {matching.map((mount, index) => {
            const status = indexes.statusOf(mount)
            return (
              <MountRow
                key={mount.id}
                mount={mount}
                storageName={nameOf(mount)}
                index={status}
                isIndexing={status !== undefined && indexes.isRunning(status)}
                commands={commands}
                {...(isOrdered && { order: orderOf(index) })}
              />
            )
          })}
        </ul>
      )}
    </>
  )
}

/**
 * Returns a function that remembers the focused element. After the next change of the order, this element gets the
 * focus again.
 */
function useFocusFollowsOrder(mounts: readonly Mount[]): () => void {
  const order = mounts.map(({ id }) => id).join()
  const kept = useRef<{ element: Element | null; order: string } | null>(null)
  useEffect(() => {
    if (!kept.current || kept.current.order === order) return
    if (kept.current.element instanceof HTMLElement) kept.current.element.focus()
    kept.current = null
  }, [order])
  return () => {
    kept.current = { element: document.activeElement, order }
  }
}
