import type { PDFDocumentProxy } from 'pdfjs-dist'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-translation.ts'
import { SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { PreviewError } from '../preview-error.ts'
import { TruncationNotice } from '../truncation/truncation-notice.tsx'
import type { ProviderProps } from '../providers.ts'
import { useFault } from '../use-preview-data.ts'
import { PdfBar } from './pdf-bar.tsx'
import { loadPdfJs, openPdf } from './pdf-document.ts'
import { PdfPassword, type PasswordQuestion } from './pdf-password.tsx'
import { PdfThumbnails } from './pdf-thumbnails.tsx'
import { type PdfControls, type PdfState, startViewer } from './pdf-viewer.ts'
import styles from './pdf.module.css'

const AT_FIRST: PdfState = { page: 1, scale: 1, matches: null, isSearching: false }

/** Shows a PDF. Our own scripts draw the pages, so the document cannot run scripts or send requests. */
export function PdfPreview({ source, isFull }: ProviderProps) {
  const { t } = useT()
  const fail = useFault()
  const [pdf, setPdf] = useState<PDFDocumentProxy | null>(null)
  const [question, setQuestion] = useState<PasswordQuestion | null>(null)
  useEffect(() => {
    const left = new AbortController()
    const { signal } = left
    const open = async () => {
      const pdfjs = await loadPdfJs()
      const document = await openPdf(pdfjs, {
        source,
        signal,
        onFault: fail,
        askPassword: (isWrong, answer) => setQuestion({ isWrong, answer }),
      })
      if (!signal.aborted) setPdf(document)
    }
    open().catch((error: unknown) => {
      if (!signal.aborted) fail(error instanceof Error ? error : new PreviewError('damaged', error))
    })
    return () => left.abort()
    // A new `source` object for the same file must not reopen the document.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- as above
  }, [source.textUrl])
  if (!pdf && question) {
    return (
      <PdfPassword
        question={question}
        onAnswer={(password) => {
          setQuestion(null)
          question.answer(password)
        }}
      />
    )
  }
  if (!pdf) return <SkeletonLines label={t('preview.loading')} />
  return <PdfPages pdf={pdf} isFull={isFull} source={source} />
}

interface PdfPagesProps {
  pdf: PDFDocumentProxy
  isFull: boolean
  source: ProviderProps['source']
}

function PdfPages({ pdf, isFull, source }: PdfPagesProps) {
  const fail = useFault()
  const container = useRef<HTMLDivElement>(null)
  const [controls, setControls] = useState<PdfControls | null>(null)
  const [state, setState] = useState(AT_FIRST)
  const [hasThumbnails, setThumbnails] = useState(false)
  useEffect(() => {
    const element = container.current
    if (!element) return undefined
    let isLeft = false
    let started: PdfControls | null = null
    const onState = (change: Partial<PdfState>) => {
      if (!isLeft) setState((before) => ({ ...before, ...change }))
    }
    const start = async () => {
      started = await startViewer({ pdf, container: element, onState })
      if (isLeft) started.end()
      else setControls(started)
    }
    start().catch((error: unknown) => {
      if (!isLeft) fail(new PreviewError('damaged', error))
    })
    return () => {
      isLeft = true
      started?.end()
    }
  }, [pdf, fail])
  return (
    <div className={styles.pdf} data-full={isFull || undefined}>
      <TruncationNotice source={source} />
      <PdfBar
        state={state}
        pages={pdf.numPages}
        controls={controls}
        thumbnails={{ isOpen: hasThumbnails, toggle: () => setThumbnails(!hasThumbnails) }}
      />
      <div className={styles.stage}>
        {hasThumbnails && (
          <PdfThumbnails pdf={pdf} page={state.page} onChoose={(page) => controls?.goTo(page)} />
        )}
        <div className={styles.place}>
          {/* The element is focusable, so that the keyboard can scroll the pages. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <div ref={container} className={styles.pages} tabIndex={0} aria-label={source.name}>
            <div className="pdfViewer" />
          </div>
        </div>
      </div>
    </div>
  )
}
