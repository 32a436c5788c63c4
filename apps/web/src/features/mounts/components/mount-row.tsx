import type { IndexStatus, Mount } from '@dropleaf/contract'
import {
  IconArrowDown,
  IconArrowUp,
  IconGripVertical,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconTrash,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { formatDateTime, formatRelative, formatSpan } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { IndexLine } from './index-line.tsx'
import styles from './mounts.module.css'

export interface MountCommands {
  readonly edit: (mount: Mount) => void
  readonly remove: (mount: Mount) => void
  readonly setActive: (mount: Mount, isActive: boolean) => void
  readonly index: (mount: Mount) => void
}

interface MountRowProps {
  mount: Mount
  storageName: string | null
  index: IndexStatus | undefined
  isIndexing: boolean
  commands: MountCommands
  /** Absent while the order cannot be changed. */
  order?: {
    readonly isFirst: boolean
    readonly isLast: boolean
    readonly move: (by: -1 | 1) => void
    readonly grip: ComponentProps<'span'>
    readonly row: ComponentProps<'li'>
  }
}

/** Link properties of a path in the explorer. */
export const explorerLink = (path: string) => ({
  to: '/mount-explorer/$' as const,
  params: { _splat: path.slice(1) },
})

/** A mount with its actions. */
export function MountRow(props: MountRowProps) {
  const { mount, storageName, index, isIndexing, commands, order } = props
  const { t, language } = useT()
  const { name } = mount
  const isActive = mount.is_active === 1
  return (
    <li
      className={styles.row}
      data-off={!isActive || undefined}
      data-plain={!order || undefined}
      data-id={mount.id}
      {...order?.row}
    >
      {order && (
        <span className={styles.grip} title={t('mounts.drag', { name })} {...order.grip}>
          <IconGripVertical size={20} aria-hidden />
        </span>
      )}
      <div className={styles.main}>
        <div className={styles.titleLine}>
          <h2 className={styles.name} dir="auto">
            {name}
          </h2>
          <span className={styles.chip} data-off={!isActive || undefined}>
            {t(isActive ? 'mounts.active' : 'mounts.inactive')}
          </span>
        </div>
        <span className={styles.path}>
          {isActive ? (
            <Link {...explorerLink(mount.mount_path)} title={t('mounts.openOf', { name })}>
              {mount.mount_path}
            </Link>
          ) : (
            mount.mount_path
          )}
        </span>
        <p className={styles.facts}>
          <span>{storageName ?? t('mounts.lostStorage')}</span>
          <span>
            {mount.cache_ttl === 0
              ? t('mounts.notCached')
              : t('mounts.cachedFor', { span: formatSpan(mount.cache_ttl, language) })}
          </span>
          <Times mount={mount} />
        </p>
        {mount.remark && <p className={styles.facts}>{mount.remark}</p>}
        {mount.storage_config_id !== null && (
          <IndexLine
            name={name}
            index={index}
            isIndexing={isIndexing}
            onIndex={() => commands.index(mount)}
          />
        )}
      </div>
      <div className={styles.actions}>
        {order && <OrderButtons name={name} {...order} />}
        <ToolButton
          label={t(isActive ? 'mounts.disableOf' : 'mounts.enableOf', { name })}
          icon={
            isActive ? <IconPlayerPause size={20} aria-hidden /> : <IconPlayerPlay size={20} aria-hidden />
          }
          onClick={() => commands.setActive(mount, !isActive)}
        />
        <ToolButton
          label={t('mounts.editOf', { name })}
          icon={<IconPencil size={20} aria-hidden />}
          onClick={() => commands.edit(mount)}
        />
        <ToolButton
          label={t('mounts.deleteOf', { name })}
          icon={<IconTrash size={20} aria-hidden />}
          isDangerous
          onClick={() => commands.remove(mount)}
        />
      </div>
    </li>
  )
}

function Times({ mount }: { mount: Mount }) {
  const { t, language } = useT()
  const instant = mount.last_used ?? mount.created_at
  return (
    <time dateTime={instant} title={formatDateTime(instant, language)}>
      {t(mount.last_used === null ? 'mounts.created' : 'mounts.used', {
        time: formatRelative(instant, language),
      })}
    </time>
  )
}

type OrderButtonsProps = Pick<NonNullable<MountRowProps['order']>, 'isFirst' | 'isLast' | 'move'>

/** Buttons at the ends of the list stay rendered, because they might have the focus. */
function OrderButtons({ name, isFirst, isLast, move }: OrderButtonsProps & { name: string }) {
  const { t } = useT()
  return (
    <>
      <ToolButton
        label={t('mounts.upOf', { name })}
        icon={<IconArrowUp size={20} aria-hidden />}
        isOff={isFirst}
        onClick={() => move(-1)}
      />
      <ToolButton
        label={t('mounts.downOf', { name })}
        icon={<IconArrowDown size={20} aria-hidden />}
        isOff={isLast}
        onClick={() => move(1)}
      />
    </>
  )
}
