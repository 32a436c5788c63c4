import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useT } from '../../../i18n/use-translation.ts'
import styles from './pdf.module.css'

const WIDTH_PX = 96

interface PdfThumbnailsProps {
  pdf: PDFDocumentProxy
  page: number
  onChoose: (page: number) => void
}

export function PdfThumbnails({ pdf, page, onChoose }: PdfThumbnailsProps) {
  const { t } = useT()
  const numbers = Array.from({ length: pdf.numPages }, (_, index) => index + 1)
  return (
    <nav className={styles.thumbnails} aria-label={t('viewer.pdf.thumbnails')}>
      {numbers.map((number) => (
        <Thumbnail
          key={number}
          pdf={pdf}
          number={number}
          isCurrent={number === page}
          onChoose={() => onChoose(number)}
        />
      ))}
    </nav>
  )
}

interface ThumbnailProps {
  pdf: PDFDocumentProxy
  number: number
  isCurrent: boolean
  onChoose: () => void
}

/** Draws a page when its thumbnail becomes visible. */
function Thumbnail({ pdf, number, isCurrent, onChoose }: ThumbnailProps) {
  const { t, language } = useT()
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const element = canvas.current
    if (!element) return undefined
    let end = () => {}
    const draw = async () => {
      const page = await pdf.getPage(number)
      const { width } = page.getViewport({ scale: 1 })
      const viewport = page.getViewport({ scale: (WIDTH_PX * window.devicePixelRatio) / width })
      element.width = viewport.width
      element.height = viewport.height
      const task = page.render({ canvas: element, viewport })
      end = () => task.cancel()
      await task.promise
    }
    const watch = new IntersectionObserver((entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      watch.disconnect()
      // Ignores the error, because the main view shows the error of the page.
      draw().catch(() => undefined)
    })
    watch.observe(element)
    return () => {
      watch.disconnect()
      end()
    }
  }, [pdf, number])
  useEffect(() => {
    if (isCurrent) canvas.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <button
      type="button"
      className={styles.thumbnail}
      aria-current={isCurrent || undefined}
      aria-label={t('viewer.pdf.goTo', { number: formatNumber(number, language) })}
      onClick={onChoose}
    >
      <canvas ref={canvas} width={WIDTH_PX} height={WIDTH_PX * 1.4} />
      <span>{formatNumber(number, language)}</span>
    </button>
  )
}
