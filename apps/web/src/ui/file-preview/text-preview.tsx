import { KIB } from '@dropleaf/contract'
import { Button } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../lib/api-error.ts'
import { formatBytes } from '../../lib/format.ts'
import { errorText } from '../../lib/i18n/error-text.ts'
import { useT } from '../../lib/i18n/use-translation.ts'
import { useCopy } from '../copy-button.tsx'
import { FailedBanner } from '../failed-banner.tsx'
import { Prose } from '../prose.tsx'
import { SkeletonLines } from '../skeleton.tsx'
import { decodeText } from '../../lib/decode-text.ts'
import type { PreviewSource } from './preview-source.ts'
import styles from './file-preview.module.css'

const MAX_BYTES = 512 * KIB

/** The first part of the file; the rest is never fetched. */
const textQuery = ({ textUrl, headers, sizeBytes }: PreviewSource) =>
  queryOptions({
    queryKey: ['preview', 'text', textUrl],
    queryFn: async ({ signal }) => {
      const range = `bytes=0-${MAX_BYTES - 1}`
      const response = await fetch(textUrl, { headers: { ...headers, Range: range }, signal }).catch(
        (cause: unknown) => {
          throw new ApiError({ kind: 'network', code: 'client.network', message: '', cause })
        },
      )
      if (!response.ok) {
        throw new ApiError({
          kind: 'http',
          status: response.status,
          code: 'client.unknown',
          message: `HTTP ${response.status}`,
        })
      }
      const bytes = new Uint8Array(await response.arrayBuffer()).subarray(0, MAX_BYTES)
      return decodeText(bytes, sizeBytes > bytes.length)
    },
    staleTime: Infinity,
  })

interface TextPreviewProps {
  source: PreviewSource
  isMarkdown: boolean
}

export function TextPreview({ source, isMarkdown }: TextPreviewProps) {
  const { t, language } = useT()
  const text = useQuery(textQuery(source))
  const isCut = source.sizeBytes > MAX_BYTES
  const [isRendered, setRendered] = useState(isMarkdown && !isCut)
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
        text={text.data}
        rendered={isMarkdown ? { isRendered, toggle: () => setRendered(!isRendered) } : null}
      />
      {isRendered ? (
        <div className={styles.prose}>
          <Prose markdown={text.data} fallback={<SkeletonLines label={t('preview.loading')} />} />
        </div>
      ) : (
        // Focusable, so that the keyboard can scroll it.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <pre className={styles.pre} tabIndex={0}>
          {text.data}
        </pre>
      )}
      {isCut && <p className={styles.note}>{t('preview.cut', { size: formatBytes(MAX_BYTES, language) })}</p>}
    </section>
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
