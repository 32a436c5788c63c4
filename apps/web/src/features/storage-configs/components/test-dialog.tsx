import type { StorageConfig } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { useT } from '../../../i18n/use-translation.ts'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { Failure } from '../../../domains/session/components/failure.tsx'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { browserVerdictOf, type Verdict, verdictOf } from '../models/test-verdict.ts'
import { BrowserResult } from './browser-result.tsx'
import { ServerResult } from './server-result.tsx'
import styles from './storages.module.css'
import type { StorageTesting } from './use-storage-test.ts'

interface TestDialogProps {
  config: StorageConfig
  testing: StorageTesting
  /** Replaces this dialog with the form for the storage. */
  onEdit: () => void
  onClose: () => void
}

/** Tests a storage from the server and from this browser. */
export function TestDialog({ config, testing, onEdit, onClose }: TestDialogProps) {
  const { t } = useT()
  const { server, browser, run } = testing
  const isBusy = server.isPending || browser.isPending
  const verdict = server.data && verdictOf(server.data.result)
  const browserVerdict = browser.data && browserVerdictOf(browser.data)
  const isToMend = verdict !== undefined && verdict !== 'works'
  return (
    <Dialog
      title={t('storages.testing.title', { name: config.name })}
      isWide
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('common.close')}
          </Button>
          <Button variant="default" loading={isBusy} onClick={() => run({ isToFix: false })}>
            {t('storages.testing.again')}
          </Button>
          {isToMend && !isBusy && <Button onClick={onEdit}>{t('storages.editTitle')}</Button>}
        </>
      }
    >
      <div className={styles.parts} aria-busy={isBusy}>
        <section className={styles.part}>
          <h3>{t('storages.testing.fromServer')}</h3>
          {server.isPending && (
            <>
              <output className={styles.hint}>
                {t(server.variables.isToFix ? 'storages.testing.fixing' : 'storages.testing.running')}
              </output>
              <SkeletonLines label={t('common.loading')} />
            </>
          )}
          <SpokenVerdict verdict={verdict} text={verdict && t(`storages.testing.verdicts.${verdict}`)} />
          {server.isError && <Failure error={server.error} />}
          {server.data && (
            <ServerResult
              result={server.data.result}
              mended={server.data.mended}
              isUnmended={server.data.isUnmended}
              onFix={() => run({ isToFix: true })}
            />
          )}
        </section>
        <section className={styles.part}>
          <h3>{t('storages.testing.fromBrowser')}</h3>
          <p className={styles.hint}>{t('storages.testing.browserText')}</p>
          {browser.isPending && (
            <>
              <output className={styles.hint}>{t('storages.testing.browserRunning')}</output>
              <SkeletonLines label={t('common.loading')} widths={['70%', '50%']} />
            </>
          )}
          <SpokenVerdict
            verdict={browserVerdict}
            text={browserVerdict && t(`storages.testing.browserVerdicts.${browserVerdict}`)}
          />
          {browser.isError && <Failure error={browser.error} />}
          {browser.data && <BrowserResult test={browser.data} />}
        </section>
      </div>
    </Dialog>
  )
}

const TONES = { works: 'success', partly: 'warning', fails: 'error' } as const

interface SpokenVerdictProps {
  /** `undefined` until there is a verdict. */
  verdict: Verdict | undefined
  text: string | undefined
}

/** Announces the verdict. The live region must exist before its text. */
function SpokenVerdict({ verdict, text }: SpokenVerdictProps) {
  return (
    <div aria-live="polite" style={{ display: 'contents' }}>
      {verdict && <Banner tone={TONES[verdict]}>{text}</Banner>}
    </div>
  )
}
