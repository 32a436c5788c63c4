import type { StorageFinding, StorageTestResult } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { IconTool } from '@tabler/icons-react'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { checksOf } from '../models/test-verdict.ts'
import { CheckLine } from './check-line.tsx'
import styles from './storages.module.css'

interface ServerResultProps {
  result: StorageTestResult
  /** Findings that the test has just fixed. */
  mended: readonly StorageFinding[]
  /** Whether a fix has failed. */
  isUnmended: boolean
  onFix: () => void
}

/** Shows the findings of the server's test, with advice. */
export function ServerResult({ result, mended, isUnmended, onFix }: ServerResultProps) {
  const { t, language } = useT()
  const { findings } = result.doctor
  return (
    <>
      {mended.map(({ code, message }) => (
        <Banner key={code} tone="success">
          {t('storages.testing.fixed', { message })}
        </Banner>
      ))}
      {isUnmended && <Banner tone="warning">{t('storages.testing.notFixed')}</Banner>}
      {findings.length > 0 && <Findings findings={findings} onFix={onFix} />}
      <ul className={styles.checks}>
        {checksOf(result).map(({ id, state, text, tookMs }) => (
          <CheckLine
            key={id}
            state={state}
            label={t(`storages.testing.checks.${id}`)}
            text={text}
            took={tookMs === null ? undefined : `${formatNumber(tookMs, language)} ms`}
          />
        ))}
      </ul>
      <Details result={result} />
    </>
  )
}

function Findings({ findings, onFix }: { findings: readonly StorageFinding[]; onFix: () => void }) {
  const { t } = useT()
  return (
    <>
      {findings.some(({ fixable }) => fixable) && (
        <div className={styles.fix}>
          <Button leftSection={<IconTool size={18} aria-hidden />} onClick={onFix}>
            {t('storages.testing.fix')}
          </Button>
          <span className={styles.hint}>{t('storages.testing.fixText')}</span>
        </div>
      )}
      <ul className={styles.findings}>
        {findings.map(({ code, severity, message, steps }) => (
          <li key={code} className={styles.finding} data-severity={severity}>
            <p>
              {t('storages.testing.finding', {
                severity: t(`storages.testing.severities.${severity}`),
                message,
              })}
            </p>
            <ol>
              {steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
          </li>
        ))}
      </ul>
    </>
  )
}

function Details({ result }: { result: StorageTestResult }) {
  const { t, language } = useT()
  const { connectionInfo: place, read, cors, doctor } = result
  const objects = (read.firstObjects ?? []).map(({ key, size }) =>
    t('common.nameAndKind', { name: key, kind: formatBytes(size, language) }),
  )
  const facts: readonly (readonly [label: string, value: string | null])[] = [
    [
      t('storages.testing.bucketAt'),
      [place.bucket, place.endpoint, place.region].filter(Boolean).join(' · '),
    ],
    [t('storages.testing.prefix'), read.prefix],
    [t('storages.testing.objects'), objects.join(', ')],
    [t('storages.testing.origins'), cors.allowOrigin],
    [t('storages.testing.methods'), cors.allowMethods],
    [t('storages.testing.headers'), cors.allowHeaders],
    [
      t('storages.testing.clock'),
      doctor.clockSkewSeconds === null
        ? null
        : t('storages.testing.seconds', { count: Math.abs(doctor.clockSkewSeconds) }),
    ],
    [t('storages.testing.free'), doctor.freeBytes === null ? null : formatBytes(doctor.freeBytes, language)],
  ]
  return (
    <details className={styles.details}>
      <summary>{t('storages.testing.details')}</summary>
      <dl className={styles.facts}>
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} style={{ display: 'contents' }}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </details>
  )
}
