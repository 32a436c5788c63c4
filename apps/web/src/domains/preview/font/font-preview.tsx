import { MIB } from '@dropleaf/contract'
import { useEffect, useId, useState } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { readAll } from '../reading/byte-source.ts'
import styles from './font-preview.module.css'
import { PreviewError } from '../preview-error.ts'
import type { ProviderProps } from '../providers.ts'
import { useFault, usePreviewData } from '../use-preview-data.ts'
import { type FontFacts, readFontFacts } from './font-facts.ts'
import { FactsList } from '../facts-list.tsx'

const MAX_BYTES = 64 * MIB
const SIZES_PX = [48, 32, 24, 18, 14] as const
const SAMPLES = [
  'The quick brown fox jumps over the lazy dog',
  '天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。',
] as const
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 .,;:!?()[]{}“”‘’&@#%*/\\'

export function FontPreview({ source }: ProviderProps) {
  const { t } = useT()
  const font = usePreviewData({
    source,
    key: ['font'],
    load: async (signal) => {
      const bytes = await readAll(source, { maxBytes: MAX_BYTES, signal })
      return { bytes, facts: await readFontFacts(bytes).catch(() => ({})) }
    },
  })
  if (!font) return <SkeletonLines label={t('preview.loading')} />
  return <Specimen bytes={font.bytes} facts={font.facts} />
}

/** Shows sample text of the font in several sizes. The font is loaded from bytes, without a request. */
function Specimen({ bytes, facts }: { bytes: Uint8Array<ArrayBuffer>; facts: FontFacts }) {
  const { t, language } = useT()
  const fail = useFault()
  const family = `preview-${useId().replaceAll(/\W/g, '')}`
  const [isReady, setReady] = useState(false)
  const [own, setOwn] = useState('')
  useEffect(() => {
    const face = new FontFace(family, bytes.buffer)
    let isLeft = false
    const load = async () => {
      await face.load()
      if (isLeft) return
      document.fonts.add(face)
      setReady(true)
    }
    load().catch((error: unknown) => {
      if (!isLeft) fail(new PreviewError('damaged', error))
    })
    return () => {
      isLeft = true
      document.fonts.delete(face)
    }
  }, [bytes, family, fail])
  if (!isReady) return <SkeletonLines label={t('preview.loading')} />
  const { glyphs, ...texts } = facts
  const list: (readonly [string, string])[] = Object.entries(texts).map(([name, value]) => [
    t(`viewer.font.${name as keyof typeof texts}`),
    value,
  ])
  if (glyphs !== undefined) list.push([t('viewer.font.glyphs'), formatNumber(glyphs, language)])
  const samples = own === '' ? SAMPLES : [own]
  return (
    <div className={styles.specimen}>
      <input
        className={styles.field}
        aria-label={t('viewer.font.own')}
        placeholder={t('viewer.font.own')}
        value={own}
        onChange={({ currentTarget }) => setOwn(currentTarget.value)}
      />
      <div style={{ fontFamily: `${family}, var(--dl-font)` }}>
        <p className={styles.letters}>{LETTERS}</p>
        {SIZES_PX.map((size) => (
          <div key={size} className={styles.sample} style={{ fontSize: size }}>
            <small>{size}</small>
            <div dir="auto">
              {samples.map((sample) => (
                <p key={sample}>{sample}</p>
              ))}
            </div>
          </div>
        ))}
      </div>
      {list.length > 0 && <FactsList facts={list} />}
    </div>
  )
}
