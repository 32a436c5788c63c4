import { useQuery } from '@tanstack/react-query'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { FailedBanner } from '../../../ui/feedback/failed-banner.tsx'
import { OpeningDetails } from '../../../domains/shares/table/opening-facts.tsx'
import { ExpiryCell, ViewsCell } from '../../../domains/shares/table/share-cells.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import type { ListedPaste } from '../api/manage-pastes.api.ts'
import { pasteQueries } from '../api/pastes.queries.ts'
import { shareAddress } from '../../../domains/shares/share-address.ts'
import styles from './manage-pastes.module.css'

const SHOWN_CHARACTERS = 20_000

/** Shows a text to its owner, without counting a view. */
export function PreviewPasteDialog({ paste, onClose }: { paste: ListedPaste; onClose: () => void }) {
  const { t, language } = useT()
  const detail = useQuery(pasteQueries.own(paste.id))
  const link = shareAddress(paste.slug)
  return (
    <Dialog title={paste.remark ?? t('texts.preview.title')} onClose={onClose} isWide>
      <dl className={styles.facts}>
        <dt>{t('shares.columns.link')}</dt>
        <dd>
          <a href={link} target="_blank" rel="noopener">
            /{paste.slug}
          </a>
          <CopyButton text={link} label={t('shares.actions.copyLink')} />
        </dd>
        <dt>{t('shares.columns.created')}</dt>
        <dd>{formatDateTime(paste.createdAt, language)}</dd>
        <dt>{t('shares.columns.expires')}</dt>
        <dd>
          <ExpiryCell expiresAt={paste.expiresAt} />
        </dd>
        <dt>{t('shares.columns.views')}</dt>
        <dd>
          <ViewsCell views={paste.views} maxViews={paste.maxViews} />
        </dd>
        <dt>{t('common.opening.label')}</dt>
        <dd>
          <OpeningDetails facts={paste.opening} />
        </dd>
        <dt>{t('texts.preview.password')}</dt>
        <dd>{detail.data?.plain_password ?? (paste.hasPassword ? '…' : t('texts.preview.none'))}</dd>
      </dl>
      {detail.isPending && <SkeletonLines label={t('common.loading')} />}
      {detail.isError && <FailedBanner error={detail.error} onRetry={() => void detail.refetch()} />}
      {detail.data && (
        <>
          {/* The text is focusable, so that the keyboard can scroll it. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre className={styles.content} tabIndex={0} aria-label={t('texts.preview.content')}>
            {detail.data.content.slice(0, SHOWN_CHARACTERS)}
          </pre>
          {detail.data.content.length > SHOWN_CHARACTERS && (
            <p className={styles.cut}>
              {t('texts.preview.cut', { count: formatNumber(SHOWN_CHARACTERS, language) })}
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}
