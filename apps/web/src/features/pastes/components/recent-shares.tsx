import { Button } from '@mantine/core'
import { IconKey, IconLock } from '@tabler/icons-react'
import { formatRelative } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import type { RecentShare } from '../../../domains/shares/recent-shares.ts'
import { forgetShares } from '../../../domains/shares/recent-shares.ts'
import { useKeptKey } from '../../../domains/sealed/keys/use-kept-keys.ts'
import { bundleAddress } from '../../../domains/bundles/bundle-address.ts'
import { shareAddress } from '../../../domains/shares/share-address.ts'
import styles from './recent-shares.module.css'

/** Links to shares that were created on this device, newest first. */
export function RecentShares({ shares }: { shares: readonly RecentShare[] }) {
  const { t } = useT()
  return (
    <section className={styles.recent} aria-label={t('home.result.recent')}>
      <div className={styles.head}>
        <h2 className={styles.title}>{t('home.result.recent')}</h2>
        <Button size="compact-sm" variant="subtle" color="gray" fw={500} onClick={forgetShares}>
          {t('home.result.forget')}
        </Button>
      </div>
      <ul className={styles.list}>
        {shares.map((share) => (
          <RecentRow key={`${share.kind}/${share.slug}`} share={share} />
        ))}
      </ul>
    </section>
  )
}

function RecentRow({ share }: { share: RecentShare }) {
  const { t, language } = useT()
  const kept = useKeptKey(share.sealedId ?? null)
  const bare = share.kind === 'bundle' ? bundleAddress(share.slug) : shareAddress(share.slug)
  const link = kept ? `${bare}#${kept.linkKey}` : bare
  return (
    <li className={styles.row}>
      <a href={link} target="_blank" rel="noopener" className={styles.link}>
        /{share.slug}
      </a>
      {share.sealedId !== undefined && (
        <span className={styles.lock} title={t('common.sealed.label')}>
          <IconKey size={16} aria-hidden />
          <span className="dl-sr">{t('common.sealed.label')}</span>
        </span>
      )}
      {share.hasPassword && (
        <span className={styles.lock} title={t('home.summary.password')}>
          <IconLock size={16} aria-hidden />
          <span className="dl-sr">{t('home.summary.password')}</span>
        </span>
      )}
      <bdi className={styles.remark}>{share.remark || share.title || kept?.name}</bdi>
      <span className={styles.time}>{formatRelative(share.createdAt, language)}</span>
      <CopyButton text={link} label={t('home.result.copyLinkOf', { slug: share.slug })} />
    </li>
  )
}
