import { useElementSize } from '@mantine/hooks'
import { useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import officeStyles from './office-preview.module.css'
import partStyles from '../preview-parts.module.css'
import { PageSteps } from '../page-steps.tsx'
import type { ProviderProps } from '../providers.ts'
import { SafeFrame } from '../safe-frame.tsx'
import { usePreviewData } from '../use-preview-data.ts'
import { openSlides, readSlide } from './slides.ts'

/** Renders slides as pages in the browser. */
export function SlidesPreview({ source }: ProviderProps) {
  const { t } = useT()
  const [index, setIndex] = useState(0)
  const { ref, width } = useElementSize<HTMLDivElement>()
  const slide = usePreviewData({
    source,
    key: ['slide', index],
    load: async (signal) => {
      const slides = await openSlides(source, signal)
      return { html: await readSlide(slides, index), slides }
    },
  })
  if (!slide) return <SkeletonLines label={t('preview.loading')} />
  const { names, widthPx, heightPx } = slide.slides
  return (
    <div className={officeStyles.slides}>
      <div ref={ref} className={officeStyles.slide} style={{ aspectRatio: `${widthPx} / ${heightPx}` }}>
        <div style={{ width: widthPx, height: heightPx, transform: `scale(${width / widthPx})` }}>
          <SafeFrame key={index} html={slide.html} title={source.name} className={officeStyles.slideFrame} />
        </div>
      </div>
      <PageSteps page={index} count={names.length} onChange={setIndex} />
      <p className={partStyles.note}>{t('viewer.office.slides')}</p>
    </div>
  )
}
