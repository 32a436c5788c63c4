import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatBytes } from '../../lib/format.ts'
import { errorText } from '../../lib/i18n/error-text.ts'
import { useT } from '../../lib/i18n/use-translation.ts'
import { useCopy } from '../copy-button.tsx'
import { FailedBanner } from '../failed-banner.tsx'
import { Prose } from '../prose.tsx'
import { SkeletonLines } from '../skeleton.tsx'
import type { PreviewSource } from './preview-source.ts'
import { TEXT_MAX_BYTES, textQuery } from './text-query.ts'
import styles from './file-preview.module.css'

interface TextPreviewProps {
  source: PreviewSource
  /** What it can be shown as, beside its source. */
  form: 'plain' | 'markdown' | 'html'
}

export function TextPreview({ source, form }: TextPreviewProps) {
  const { t, language } = useT()
  const text = useQuery(textQuery(source))
  const isCut = source.sizeBytes > TEXT_MAX_BYTES
  const [isRendered, setRendered] = useState(form === 'markdown' && !isCut)
  if (text.isPending) return <SkeletonLines label={t('preview.loading')} />
  if (text.isError) {
    return (
      <FailedBanner
        error={text.error}
        text={t('preview.text', { reason: errorText(text.error) })}
        onRetry={() => void text.refetch()}
      />
    )
  }
  return (
    <section className={styles.text} aria-label={t('preview.title')}>
      <TextBar
        text={text.data.text}
        rendered={form !== 'plain' ? { isRendered, toggle: () => setRendered(!isRendered) } : null}
      />
      {isRendered && form === 'html' ? (
        <PagePreview name={source.name} html={text.data.text} />
      ) : isRendered ? (
        <div className={styles.prose}>
          <Prose markdown={text.data.text} fallback={<SkeletonLines label={t('preview.loading')} />} />
        </div>
      ) : (
        // Focusable, so that the keyboard can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className={styles.pre} tabIndex={0}>
          {text.data.text}
        </pre>
      )}
      {isCut && (
        <p className={styles.note}>{t('preview.cut', { size: formatBytes(TEXT_MAX_BYTES, language) })}</p>
      )}
    </section>
  )
}

/** Nothing is fetched, and no link leads out of it. */
const PAGE_HEAD =
  '<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src \'none\'; ' +
  'style-src \'unsafe-inline\'; img-src data:; font-src data:; media-src data:"><base target="_blank">'

/** A page of somebody else: in an origin of its own, without scripts, forms and windows. */
function PagePreview({ name, html }: { name: string; html: string }) {
  const { t } = useT()
  return (
    <>
      <iframe className={styles.web} sandbox="" srcDoc={PAGE_HEAD + html} title={name} />
      <p className={styles.note}>{t('preview.html')}</p>
    </>
  )
}

interface TextBarProps {
  text: string
  rendered: { readonly isRendered: boolean; readonly toggle: () => void } | null
}

function TextBar({ text, rendered }: TextBarProps) {
  const { t } = useT()
  const { isCopied, copy } = useCopy()
  return (
    <div className={styles.bar}>
      {rendered && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={rendered.toggle}>
          {rendered.isRendered ? t('preview.source') : t('preview.rendered')}
        </Button>
      )}
      <Button size="compact-sm" variant="subtle" color="gray" onClick={() => void copy(text)}>
        {isCopied ? t('common.copied') : t('preview.copy')}
      </Button>
    </div>
  )
}
