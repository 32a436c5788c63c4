import { KIB } from '@dropleaf/contract'
import { formatBytes, formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { Banner } from '../../../ui/feedback/message.tsx'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { readRange } from '../reading/byte-source.ts'
import styles from './image-preview.module.css'
import type { PreviewSource } from '../preview-source.ts'
import { usePreviewData } from '../use-preview-data.ts'
import { describeCameraFacts, type CameraFacts } from './camera-facts.ts'
import { FactsList } from '../facts-list.tsx'

/** EXIF data is in the first part of the file. */
const HEAD_BYTES = 512 * KIB

/** Reads the EXIF data. Returns nothing if it is missing or invalid. */
async function readShot(source: PreviewSource, signal: AbortSignal): Promise<CameraFacts> {
  const bytes = await readRange(source, { firstByte: 0, lastByte: HEAD_BYTES - 1, signal })
  const { parse } = await import('exifr/dist/full.esm.mjs')
  const tags: unknown = await parse(bytes, { xmp: false, icc: false, iptc: false }).catch(() => null)
  return describeCameraFacts(tags)
}

interface ImageFactsProps {
  source: PreviewSource
  size: { readonly width: number; readonly height: number } | null
}

export function ImageFacts({ source, size }: ImageFactsProps) {
  const { t, language } = useT()
  const shot = usePreviewData({ source, key: ['shot'], load: (signal) => readShot(source, signal) })
  if (!shot)
    return (
      <div className={styles.shot} data-asked>
        <SkeletonLines label={t('preview.loading')} widths={['60%', '40%']} />
      </div>
    )
  const { position, ...texts } = shot
  const number = (value: number) => formatNumber(value, language)
  const facts: (readonly [string, string])[] = [
    [t('viewer.facts.size'), formatBytes(source.sizeBytes, language)],
  ]
  if (size && size.width > 0)
    facts.push([t('viewer.image.pixels'), `${number(size.width)} × ${number(size.height)}`])
  for (const [name, value] of Object.entries(texts))
    facts.push([t(`viewer.image.${name as keyof typeof texts}`), value])
  if (position) facts.push([t('viewer.image.position'), position])
  return (
    <section className={styles.shot} aria-label={t('viewer.image.facts')}>
      {position && <Banner tone="warning">{t('viewer.image.positionNote')}</Banner>}
      <FactsList facts={facts} />
    </section>
  )
}
