import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import type { BrowserTest, Transfer } from '../models/test-verdict.ts'
import { CheckLine } from './check-line.tsx'
import styles from './storages.module.css'

/** Result of the browser's test of a storage. */
export function BrowserResult({ test }: { test: BrowserTest }) {
  const { t } = useT()
  const isUp = test.upload.kind === 'done'
  return (
    <>
      <ul className={styles.checks}>
        <TransferLine label={t('storages.testing.upload')} transfer={test.upload} />
        <TransferLine label={t('storages.testing.download')} transfer={test.download} />
        <CheckLine
          state={isUp ? (test.hasEtag ? 'done' : 'failed') : 'untried'}
          label={t('storages.testing.etag')}
          text={isUp ? t(test.hasEtag ? 'storages.testing.etagSeen' : 'storages.testing.etagHidden') : ''}
        />
      </ul>
    </>
  )
}

function TransferLine({ label, transfer }: { label: string; transfer: Transfer | null }) {
  const { t, language } = useT()
  if (transfer === null)
    return <CheckLine state="untried" label={label} text={t('storages.testing.untriedDownload')} />
  if (transfer.kind === 'done') {
    const took = t('storages.testing.took', {
      ms: formatNumber(transfer.tookMs, language),
      speed: formatBytes(transfer.bytesPerSecond, language),
    })
    return <CheckLine state="done" label={label} text="" took={took} />
  }
  const text =
    transfer.kind === 'refused'
      ? t('storages.testing.refused', { status: transfer.status })
      : t(`storages.testing.${transfer.kind}`)
  return <CheckLine state="failed" label={label} text={text} />
}
