import { Button } from '@mantine/core'
import {
  IconCircleCheck,
  IconFiles,
  IconLock,
  IconPlayerPause,
  IconPlayerPlay,
  IconX,
} from '@tabler/icons-react'
import { type ComponentType, Fragment } from 'react'
import { errorText } from '../../../i18n/error-text.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { formatBytes, formatPercent, formatSpan } from '../../../lib/format.ts'
import { paths } from '../../../lib/paths.ts'
import { ToolButton } from '../../../ui/buttons/tool-button.tsx'
import { focusItem } from '../../../ui/focus/focus-restore.ts'
import { DisplayName } from '../../../ui/layout/display-name.tsx'
import rows from '../../transfers/rows/rows.module.css'
import { ShareLink } from '../../transfers/rows/share-link.tsx'
import { bundleAddress } from '../bundle-address.ts'
import { dropBundle, findBundle } from '../bundle-drafts.ts'
import { type BundleSnapshot, hasHalted, isFailedItem, shareOfBundle } from '../bundle-snapshot.ts'
import { BundleAgain } from './bundle-again.tsx'
import { BundleFiles } from './bundle-files.tsx'
import styles from './bundle-row.module.css'

/**
 * Returns a function that names a bundle: by its title, by the path of its only file, or by a summary of its contents.
 */
function useBundleName(): (bundle: BundleSnapshot) => string {
  const { t } = useT()
  return ({ title, items, hasPage }) => {
    if (title !== null) return title
    const [first] = items
    if (first && items.length === 1 && !hasPage) return first.path
    if (items.length === 0 && hasPage) return t('bundling.row.onlyText')
    return t(hasPage ? 'bundling.row.titleWithText' : 'bundling.row.titleOf', { count: items.length })
  }
}

const STATUS = {
  starting: 'uploading',
  uploading: 'uploading',
  publishing: 'uploading',
  paused: 'paused',
  needsFiles: 'paused',
  stuck: 'error',
  failed: 'error',
  published: 'success',
} as const satisfies Record<BundleSnapshot['state'], string>

interface BundleRowProps {
  bundle: BundleSnapshot
  /** Called to resume after a failure. */
  onRetry: () => void
  /** Shows the link of an encrypted bundle. The link contains the key of the bundle. */
  SealedLink?: ComponentType<{ name: string; slug: string; linkKey: string }>
}

/** A bundle in creation, and its link after publication. */
export function BundleRow({ bundle, onRetry, SealedLink }: BundleRowProps) {
  const { t } = useT()
  const nameOf = useBundleName()
  const { key, state, slug, error, linkKey } = bundle
  const name = nameOf(bundle)
  const isMoving = ['uploading', 'paused', 'needsFiles', 'stuck'].includes(state)
  return (
    <li className={rows.row} data-status={STATUS[state]} {...focusItem(key)}>
      <IconFiles size={24} aria-hidden />
      <div className={rows.rowMain}>
        <div className={rows.rowName}>
          <DisplayName name={name} />
          {bundle.isSealed && (
            <span className={styles.sealed} title={t('common.sealed.label')}>
              <IconLock size={16} aria-hidden />
              <span className="dl-sr">{t('common.sealed.label')}</span>
            </span>
          )}
        </div>
        <div className={rows.rowState}>
          <StateText bundle={bundle} />
        </div>
        {isMoving && (
          <progress className={rows.progress} aria-label={name} max={1} value={shareOfBundle(bundle)} />
        )}
        {state === 'starting' && <progress className={rows.progress} aria-label={name} max={1} />}
        {state === 'failed' && (
          <div className={rows.need}>
            <div className={rows.rowError} role="alert">
              {errorText(error)} <span className={styles.kept}>{t('bundling.row.kept')}</span>
            </div>
            <Button size="compact-md" variant="light" onClick={onRetry}>
              {t('bundling.row.retry')}
            </Button>
          </div>
        )}
        {state === 'published' && slug !== null && linkKey !== null && SealedLink && (
          <SealedLink name={name} slug={slug} linkKey={linkKey} />
        )}
        {state === 'published' && slug !== null && linkKey === null && (
          <ShareLink name={name} link={bundleAddress(slug)} path={paths.bundle(slug)} />
        )}
        {state === 'needsFiles' && <BundleAgain bundle={bundle} />}
        {state === 'stuck' && <StuckActions bundle={bundle} onRetry={onRetry} />}
        <BundleFiles bundle={bundle} />
      </div>
      <div className={rows.rowTools}>
        <RowTools bundle={bundle} name={name} />
      </div>
    </li>
  )
}

/** Actions for all failed files together. Each failed file also has separate buttons. */
function StuckActions({ bundle, onRetry }: Omit<BundleRowProps, 'SealedLink'>) {
  const { t } = useT()
  const failed = bundle.items.filter(isFailedItem)
  const isSomethingLeft = failed.length < bundle.items.length || bundle.hasPage
  return (
    <div className={rows.need}>
      <div className={styles.actions}>
        <Button size="compact-md" variant="light" onClick={onRetry}>
          {t('bundling.row.retryFailed')}
        </Button>
        {isSomethingLeft && (
          <Button
            size="compact-md"
            variant="default"
            onClick={() => {
              for (const { n } of failed) findBundle(bundle.key)?.remove(n)
            }}
          >
            {t('bundling.row.leaveOutFailed')}
          </Button>
        )}
      </div>
    </div>
  )
}

function RowTools({ bundle, name }: { bundle: BundleSnapshot; name: string }) {
  const { t } = useT()
  const { key, state } = bundle
  return (
    <>
      {state === 'uploading' && (
        <ToolButton
          label={t('bundling.row.pause', { name })}
          icon={<IconPlayerPause size={20} aria-hidden />}
          onClick={() => findBundle(key)?.pause()}
        />
      )}
      {state === 'paused' && (
        <ToolButton
          label={t('bundling.row.resume', { name })}
          icon={<IconPlayerPlay size={20} aria-hidden />}
          onClick={() => findBundle(key)?.retry()}
        />
      )}
      {state !== 'publishing' && (
        <ToolButton
          label={t(state === 'published' ? 'bundling.row.forget' : 'bundling.row.cancel', { name })}
          icon={<IconX size={20} aria-hidden />}
          onClick={() => dropBundle(key)}
        />
      )}
    </>
  )
}

function StateText({ bundle }: { bundle: BundleSnapshot }) {
  const { t, language } = useT()
  const { state, items, doneCount, sizeBytes, sentBytes, bytesPerSecond } = bundle
  const percent = formatPercent(shareOfBundle(bundle), language)
  if (state === 'published') {
    return (
      <>
        <span>{formatBytes(sizeBytes, language)} ·</span>{' '}
        <span className={rows.done}>
          <IconCircleCheck size={16} aria-hidden /> {t('bundling.row.state.published')}
        </span>
      </>
    )
  }
  const isRunning = !hasHalted(bundle) && bytesPerSecond !== null && bytesPerSecond > 0
  const parts = [
    t(`bundling.row.state.${state}`, { percent }),
    t('bundling.row.filesDone', { done: doneCount, total: items.length }),
    t('tasks.bytesDone', { done: formatBytes(sentBytes, language), total: formatBytes(sizeBytes, language) }),
    ...(isRunning
      ? [
          t('files.upload.speed', { speed: formatBytes(bytesPerSecond, language) }),
          t('files.upload.remaining', {
            span: formatSpan(Math.ceil((sizeBytes - sentBytes) / bytesPerSecond), language),
          }),
        ]
      : []),
  ]
  // Each part has its own element, so that lines only break between parts.
  return parts.map((part, index) => (
    <Fragment key={part}>
      <span>{index === parts.length - 1 ? part : `${part} ·`}</span>{' '}
    </Fragment>
  ))
}
