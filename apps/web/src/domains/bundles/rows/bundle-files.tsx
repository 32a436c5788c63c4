import { IconReload, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { formatBytes, formatPercent } from '../../../lib/format.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { focusItem } from '../../../ui/focus/focus-restore.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import { uploadErrorText } from '../../transfers/uploads/upload-error-text.ts'
import { statusOf } from '../../transfers/uploads/upload-status.ts'
import { findBundle } from '../bundle-drafts.ts'
import { type BundleSnapshot, isFailedItem, type ItemView } from '../bundle-snapshot.ts'
import styles from './bundle-row.module.css'

/** Maximum number of listed files. The totals include all files. */
const LINES_MAX = 100

/** Files of a bundle. Failed files are always visible; other files are shown on request. */
export function BundleFiles({ bundle }: { bundle: BundleSnapshot }) {
  const { t } = useT()
  const [isOpen, setOpen] = useState(false)
  const { key, items, state } = bundle
  // At the start of an encrypted bundle, no file has an upload yet. A missing upload is then not a failure.
  const isStarting = state === 'starting'
  const failed = isStarting ? [] : items.filter(isFailedItem)
  const others = isStarting ? items : items.filter((item) => !isFailedItem(item))
  return (
    <>
      {failed.length > 0 && (
        <ul className={styles.list} aria-label={t('bundling.row.failedCount', { count: failed.length })}>
          <Lines bundleKey={key} items={failed} areFailed />
        </ul>
      )}
      {others.length > 0 && (
        <details
          className={styles.files}
          open={isOpen}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary>{t('bundling.row.files', { count: others.length })}</summary>
          {isOpen && (
            // A scrolling list has to be reachable by keyboard.
            <ul
              className={styles.list}
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as above
              tabIndex={0}
              aria-label={t('bundling.row.files', { count: others.length })}
            >
              <Lines bundleKey={key} items={others} />
            </ul>
          )}
        </details>
      )}
    </>
  )
}

interface LinesProps {
  bundleKey: string
  items: readonly ItemView[]
  areFailed?: boolean
}

function Lines({ bundleKey, items, areFailed = false }: LinesProps) {
  const { t } = useT()
  const hidden = items.length - LINES_MAX
  return (
    <>
      {items.slice(0, LINES_MAX).map((item) => (
        <FileLine key={item.n} bundleKey={bundleKey} item={item} isFailed={areFailed} />
      ))}
      {hidden > 0 && <li className={styles.item}>{t('tasks.moreFiles', { count: hidden })}</li>}
    </>
  )
}

interface FileLineProps {
  bundleKey: string
  item: ItemView
  isFailed: boolean
}

function FileLine({ bundleKey, item, isFailed }: FileLineProps) {
  const { t } = useT()
  const { n, path, entry } = item
  return (
    <li
      className={styles.item}
      data-status={isFailed ? 'error' : undefined}
      {...focusItem(`${bundleKey}/${n}`)}
    >
      <DisplayName className={styles.name} name={path} />
      {isFailed ? (
        <span className={styles.tools}>
          <ToolButton
            label={t('files.upload.retryOne', { name: path })}
            icon={<IconReload size={20} aria-hidden />}
            onClick={() => findBundle(bundleKey)?.retry(n)}
          />
          <ToolButton
            label={t('bundling.row.leaveOut', { name: path })}
            icon={<IconX size={20} aria-hidden />}
            onClick={() => findBundle(bundleKey)?.remove(n)}
          />
        </span>
      ) : (
        <LineState item={item} />
      )}
      {isFailed && entry?.error && (
        <div className={styles.problem} role="alert">
          <span className="dl-sr">{t('files.upload.said.failed', { name: path })}</span>{' '}
          {uploadErrorText(entry.error)}
        </div>
      )}
    </li>
  )
}

function LineState({ item: { file, isStored, entry } }: { item: ItemView }) {
  const { t, language } = useT()
  const { size } = file
  const text = () => {
    if (isStored) return t('bundling.row.stored')
    if (entry === null) return t('tasks.state.waiting')
    const status = statusOf(entry)
    if (status === 'retrying') return t('tasks.state.still')
    if (status !== 'uploading' && status !== 'paused') return t(`tasks.state.${status}`)
    const percent = formatPercent(size === 0 ? 0 : entry.sentBytes / size, language)
    return status === 'paused' ? [t('tasks.state.paused'), percent].join(' · ') : percent
  }
  return <span className={styles.state}>{[text(), formatBytes(size, language)].join(' · ')}</span>
}
