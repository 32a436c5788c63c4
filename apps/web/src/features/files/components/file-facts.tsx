import type { PublicFile } from '@dropleaf/contract'
import type { ReactNode } from 'react'
import { formatDateTime, formatNumber, formatRelative } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { CopyButton } from '../../../ui/buttons/copy-button.tsx'
import styles from './file-view.module.css'

type FactFields = Pick<PublicFile, 'created_at' | 'expires_at' | 'max_views' | 'views' | 'mimetype'> &
  Partial<Pick<PublicFile, 'sha256'>>

export function FileFacts({ file }: { file: FactFields }) {
  const { t, language } = useT()
  const when = (instant: string) =>
    t('files.view.timeAndSpan', {
      time: formatDateTime(instant, language),
      span: formatRelative(instant, language),
    })
  return (
    <section aria-label={t('files.view.facts')}>
      <dl className={styles.facts}>
        <Fact name={t('files.view.uploaded')}>{when(file.created_at)}</Fact>
        <Fact name={t('files.view.expires')}>
          {file.expires_at === null ? t('files.view.never') : when(file.expires_at)}
        </Fact>
        <Fact name={t('files.view.viewsLeft')}>
          <ViewsLeft file={file} />
        </Fact>
        <Fact name={t('files.view.type')}>{file.mimetype}</Fact>
        {file.sha256 && (
          <Fact name={t('files.view.sha256')} isWide>
            <span className={styles.checksum}>{file.sha256}</span>
            <CopyButton text={file.sha256} label={t('files.view.copySha')} />
          </Fact>
        )}
      </dl>
    </section>
  )
}

function ViewsLeft({ file }: { file: FactFields }) {
  const { t, language } = useT()
  if (file.max_views === null || file.max_views === 0) return t('files.view.unlimited')
  const left = Math.max(0, file.max_views - file.views)
  return left === 0 ? t('files.view.lastView') : formatNumber(left, language)
}

function Fact({ name, isWide = false, children }: { name: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={styles.fact} data-wide={isWide || undefined}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
