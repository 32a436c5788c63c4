import type { OwnManifestItem, ReferenceMode } from '@dropleaf/contract'
import {
  IconArrowBarToDown,
  IconArrowBarToUp,
  IconArrowDown,
  IconArrowUp,
  IconFolder,
  IconPencil,
  IconPin,
  IconReplace,
  IconRoute,
  IconTrash,
} from '@tabler/icons-react'
import { useRef } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { FileIcon } from '../../../domains/preview/kinds/file-icon.tsx'
import { findFileKind } from '../../../domains/preview/kinds/file-kind.ts'
import { ShareMenu, type ShareMenuItem } from '../../../domains/shares/table/share-menu.tsx'
import { HiddenField } from '../../../domains/transfers/rows/needs-file.tsx'
import { formatBytes } from '../../../lib/format.ts'
import { showInvisible } from '../../../lib/text/invisible-characters.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { focusItem } from '../../../ui/focus/focus-restore.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import type { AddedUploads } from '../models/bundle-access.ts'
import type { EditedItem } from '../models/edited-items.ts'
import { changeOf } from '../models/item-change.ts'
import { ItemUpload } from './item-upload.tsx'
import styles from './items.module.css'

interface ItemRowProps {
  item: EditedItem
  /** The item in the published revision; `null` for a new item. */
  before: OwnManifestItem | null
  isFirst: boolean
  isLast: boolean
  mayUpload: boolean
  uploads: AddedUploads
  /** @param button the pressed button, which gets the focus again */
  onMove: (by: number, button: 'up' | 'down' | null) => void
  onRename: () => void
  onReplace: (file: File) => void
  onMode: (mode: ReferenceMode) => void
  onRemove: () => void
}

export function ItemRow(props: ItemRowProps) {
  const { item, before, isFirst, isLast, onMove } = props
  const { t } = useT()
  const field = useRef<HTMLInputElement>(null)
  const name = showInvisible(item.path)
  const change = changeOf(item, before)
  return (
    <li className={styles.row} {...focusItem(item.key)}>
      {'folder' in item.source ? (
        <IconFolder size={24} aria-hidden />
      ) : (
        <FileIcon kind={findFileKind({ filename: item.path, mimetype: '' })} size={24} />
      )}
      <div className={styles.main}>
        <span className={styles.path}>
          <DisplayName name={item.path} title={name} />
          {change && <span className={styles.mark}>{t(`bundleEditing.items.${change}`)}</span>}
        </span>
        <Source item={item} />
        {item.upload !== null && <ItemUpload uploadKey={item.upload} uploads={props.uploads} />}
      </div>
      <div className={styles.tools}>
        <span data-move="up">
          <ToolButton
            label={t('bundleEditing.items.up', { name })}
            icon={<IconArrowUp size={20} aria-hidden />}
            isOff={isFirst}
            onClick={() => onMove(-1, 'up')}
          />
        </span>
        <span data-move="down">
          <ToolButton
            label={t('bundleEditing.items.down', { name })}
            icon={<IconArrowDown size={20} aria-hidden />}
            isOff={isLast}
            onClick={() => onMove(1, 'down')}
          />
        </span>
        <ItemMenu {...props} name={name} onAskFile={() => field.current?.click()} />
      </div>
      <HiddenField field={field} onFiles={([file]) => file && props.onReplace(file)} />
    </li>
  )
}

function Source({ item: { source, sizeBytes } }: { item: EditedItem }) {
  const { t, language } = useT()
  const size = sizeBytes === null ? '' : formatBytes(sizeBytes, language)
  if ('object' in source) return <span className={styles.source}>{size}</span>
  if ('folder' in source) {
    const path = showInvisible(source.folder.path)
    return <span className={styles.source}>{t('bundleEditing.items.liveFolder', { path })}</span>
  }
  const path = showInvisible(source.ref.path)
  return (
    <span className={styles.source}>
      {size} · {t(`bundleEditing.items.${source.ref.mode === 'pin' ? 'pinned' : 'following'}`, { path })}
    </span>
  )
}

/** A distance larger than the maximum number of items, which moves an item to the start or the end. */
const TO_THE_END = 100_000

function ItemMenu(props: ItemRowProps & { name: string; onAskFile: () => void }) {
  const { item, isFirst, isLast, mayUpload, name } = props
  const { t } = useT()
  const { source } = item
  const items: (ShareMenuItem | false)[] = [
    { label: t('bundleEditing.items.rename'), Icon: IconPencil, action: props.onRename },
    mayUpload &&
      !('folder' in source) && {
        label: t('bundleEditing.items.replace'),
        Icon: IconReplace,
        action: props.onAskFile,
      },
    'ref' in source &&
      (source.ref.mode === 'pin'
        ? { label: t('bundleEditing.items.follow'), Icon: IconRoute, action: () => props.onMode('follow') }
        : { label: t('bundleEditing.items.pin'), Icon: IconPin, action: () => props.onMode('pin') }),
    !isFirst && {
      label: t('bundleEditing.items.toTop'),
      Icon: IconArrowBarToUp,
      action: () => props.onMove(-TO_THE_END, null),
    },
    !isLast && {
      label: t('bundleEditing.items.toEnd'),
      Icon: IconArrowBarToDown,
      action: () => props.onMove(TO_THE_END, null),
    },
    {
      label: t('bundleEditing.items.remove'),
      Icon: IconTrash,
      action: props.onRemove,
      isDangerous: true,
    },
  ]
  return (
    <ShareMenu
      label={t('bundleEditing.items.more', { name })}
      items={items.filter((entry) => entry !== false)}
    />
  )
}
