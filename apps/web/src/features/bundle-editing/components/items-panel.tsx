import type { OwnManifest } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconFilePlus, IconFolderPlus } from '@tabler/icons-react'
import { type RefObject, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useT } from '../../../i18n/use-translation.ts'
import { itemPathOf } from '../../../domains/bundles/item-paths.ts'
import { useSession } from '../../../domains/session/session.ts'
import { can } from '../../../domains/session/stored-session.ts'
import { HiddenField } from '../../../domains/transfers/rows/needs-file.tsx'
import {
  nameScreenshot,
  pickFromDrop,
  type PickedFile,
} from '../../../domains/transfers/uploads/picked-files.ts'
import { useFileIntake } from '../../../domains/transfers/uploads/use-file-intake.ts'
import { formatNumber } from '../../../lib/format.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { Pager } from '../../../ui/data-table/pager.tsx'
import { useKeptFocus } from '../../../ui/focus/focus-restore.ts'
import { Panel } from '../../../ui/layout/panel.tsx'
import { type EditedItem, moved, withMode, withPath } from '../models/edited-items.ts'
import { ItemRow } from './item-row.tsx'
import styles from './items.module.css'
import { RenameItemDialog } from './rename-item-dialog.tsx'
import type { BundleEdit } from './use-bundle-edit.ts'

const PAGE_SIZE = 50

interface ItemsPanelProps {
  edit: BundleEdit
  /** The published contents. */
  published: OwnManifest | null
}

/** Moves items, and focuses the pressed button again. */
function useMoving(
  edit: BundleEdit,
  { list, pageSize }: { list: RefObject<HTMLElement | null>; pageSize: number },
) {
  const { t, language } = useT()
  const [page, setPage] = useState(1)
  const [said, setSaid] = useState('')
  const move = (item: EditedItem, by: number, button: 'up' | 'down' | null) => {
    const next = moved(edit.items, item.key, by)
    const place = next.findIndex(({ key }) => key === item.key)
    const words = {
      name: showInvisible(item.path),
      place: formatNumber(place + 1, language),
      count: formatNumber(next.length, language),
    }
    // Renders synchronously, because React can move the row in the DOM, and a moved row loses the focus.
    flushSync(() => {
      edit.setItems(next)
      setPage(Math.floor(place / pageSize) + 1)
      setSaid(t('bundleEditing.items.moved', words))
    })
    if (button === null) return
    const row = list.current?.querySelector(`[data-focus-item="${CSS.escape(item.key)}"]`)
    row?.querySelector<HTMLElement>(`[data-move="${button}"] button`)?.focus()
  }
  const lastPage = Math.max(1, Math.ceil(edit.items.length / pageSize))
  return { page: Math.min(page, lastPage), setPage, move, said, setSaid }
}

/** Lists the files and folders of a bundle, and changes their order. */
export function ItemsPanel({ edit, published }: ItemsPanelProps) {
  const { t } = useT()
  const { items } = edit
  const list = useRef<HTMLDivElement>(null)
  useKeptFocus(list)
  const [pageSize, setPageSize] = useState(PAGE_SIZE)
  const { page, setPage, move, said, setSaid } = useMoving(edit, { list, pageSize })
  const [renamed, setRenamed] = useState<EditedItem | null>(null)
  const mayUpload = can(useSession(), 'file')
  const before = useMemo(
    () => new Map(published?.items.map((item) => [`item ${item.path}`, item])),
    [published],
  )
  const shown = items.slice((page - 1) * pageSize, page * pageSize)
  return (
    <Panel
      title={t('bundleEditing.items.title')}
      note={t('bundleEditing.items.count', { count: items.length })}
      actions={mayUpload && <AddButtons edit={edit} />}
    >
      {!mayUpload && <p className={styles.note}>{t('bundleEditing.items.noFiles')}</p>}
      {items.length === 0 && mayUpload && <p className={styles.note}>{t('bundleEditing.items.none')}</p>}
      <div ref={list} tabIndex={-1}>
        <ol
          className={styles.list}
          aria-label={t('bundleEditing.items.title')}
          start={(page - 1) * pageSize + 1}
        >
          {shown.map((item, index) => (
            <ItemRow
              key={item.key}
              item={item}
              before={before.get(item.key) ?? null}
              isFirst={page === 1 && index === 0}
              isLast={items.at(-1) === item}
              mayUpload={mayUpload}
              uploads={edit.access.uploads}
              onMove={(by, button) => move(item, by, button)}
              onRename={() => setRenamed(item)}
              onReplace={(file) => edit.replace(item, file)}
              onMode={(mode) => edit.setItems(withMode(items, item.key, mode))}
              onRemove={() => {
                edit.remove(item)
                setSaid(t('bundleEditing.items.removed', { name: showInvisible(item.path) }))
              }}
            />
          ))}
        </ol>
        {items.length > PAGE_SIZE && (
          <Pager
            page={page}
            pageSize={pageSize}
            total={items.length}
            onPage={setPage}
            onPageSize={setPageSize}
          />
        )}
      </div>
      <output className="dl-sr">{said}</output>
      {renamed && (
        <RenameItemDialog
          items={items}
          item={renamed}
          onRename={(path) => {
            edit.setItems(withPath(items, renamed.key, path))
            setRenamed(null)
          }}
          onClose={() => setRenamed(null)}
        />
      )}
    </Panel>
  )
}

const isInEditor = ({ target }: DragEvent) =>
  target instanceof Element && target.closest('.dl-editor-pane') !== null

/** Adds files that are chosen, dropped on the page, or pasted. Folders keep their structure. */
function AddButtons({ edit }: { edit: BundleEdit }) {
  const { t } = useT()
  const field = useRef<HTMLInputElement>(null)
  const folderField = useRef<HTMLInputElement>(null)
  const add = (picked: readonly PickedFile[]) => {
    if (picked.length === 0) return
    edit.add(picked.map(({ file, folder }) => ({ path: itemPathOf({ folder, name: file.name }), file })))
  }
  const isOver = useFileIntake((data, isPaste) => {
    void pickFromDrop(data).then(({ files }) =>
      add(isPaste ? files.map((one) => ({ ...one, file: nameScreenshot(one.file, 'screenshot') })) : files),
    )
  }, isInEditor)
  const folderOf = (file: File) => {
    const path = file.webkitRelativePath
    return path.slice(0, path.lastIndexOf('/') + 1)
  }
  return (
    <div className={styles.adding}>
      <Button
        variant="default"
        leftSection={<IconFilePlus size={18} aria-hidden />}
        onClick={() => field.current?.click()}
      >
        {isOver ? t('bundleEditing.items.drop') : t('bundleEditing.items.add')}
      </Button>
      <Button
        variant="default"
        leftSection={<IconFolderPlus size={18} aria-hidden />}
        onClick={() => folderField.current?.click()}
      >
        {t('bundleEditing.items.addFolder')}
      </Button>
      <HiddenField
        field={field}
        isMultiple
        onFiles={(files) => add(files.map((file) => ({ file, folder: '' })))}
      />
      <input
        ref={(element) => {
          folderField.current = element
          // React does not support this attribute.
          element?.setAttribute('webkitdirectory', '')
        }}
        type="file"
        hidden
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          add(files.map((file) => ({ file, folder: folderOf(file) })))
        }}
      />
    </div>
  )
}
