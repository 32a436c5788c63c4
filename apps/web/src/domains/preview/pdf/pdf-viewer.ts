import type { PDFDocumentProxy } from 'pdfjs-dist'

/** The library's value for links that open in a new tab. */
const NEW_TAB = 2
/** Shows annotations and links, but does not let the user fill in forms. */
const ANNOTATIONS_SHOWN = 1

export interface PdfState {
  /** Page number, starting at 1. */
  readonly page: number
  readonly scale: number
  readonly matches: { readonly current: number; readonly total: number } | null
  readonly isSearching: boolean
}

export interface PdfControls {
  readonly goTo: (page: number) => void
  /** Sets the scale, or fits the pages to the width of the viewer. */
  readonly zoom: (scale: number | 'page-width') => void
  readonly find: (text: string, step: 'first' | 'next' | 'previous') => void
  readonly clearFind: () => void
  readonly fit: () => void
  readonly end: () => void
}

interface ViewerOptions {
  readonly pdf: PDFDocumentProxy
  readonly container: HTMLDivElement
  readonly onState: (change: Partial<PdfState>) => void
}

const SEARCHING = 3

/** Shows the pages of a document. Draws only the pages near the viewport. */
export async function startViewer({ pdf, container, onState }: ViewerOptions): Promise<PdfControls> {
  const [parts] = await Promise.all([
    import('pdfjs-dist/web/pdf_viewer.mjs'),
    import('pdfjs-dist/web/pdf_viewer.css'),
  ])
  const eventBus = new parts.EventBus()
  const linkService = new parts.PDFLinkService({
    eventBus,
    externalLinkTarget: NEW_TAB,
    externalLinkRel: 'noopener noreferrer nofollow',
  })
  const findController = new parts.PDFFindController({ eventBus, linkService })
  const viewer = new parts.PDFViewer({
    container,
    eventBus,
    linkService,
    findController,
    annotationMode: ANNOTATIONS_SHOWN,
    removePageBorders: true,
  })
  linkService.setViewer(viewer)
  eventBus.on('pagesinit', () => {
    viewer.currentScaleValue = 'page-width'
    if (viewer.currentScale > 1.5) viewer.currentScale = 1.5
  })
  eventBus.on('pagechanging', ({ pageNumber }: { pageNumber: number }) => onState({ page: pageNumber }))
  eventBus.on('scalechanging', ({ scale }: { scale: number }) => onState({ scale }))
  const onMatches = ({ matchesCount }: { matchesCount: PdfState['matches'] }) =>
    onState({ matches: matchesCount })
  eventBus.on('updatefindmatchescount', onMatches)
  eventBus.on('updatefindcontrolstate', (event: { matchesCount: PdfState['matches']; state: number }) => {
    onMatches(event)
    onState({ isSearching: event.state === SEARCHING })
  })
  viewer.setDocument(pdf)
  linkService.setDocument(pdf)
  const find: PdfControls['find'] = (query, step) => {
    eventBus.dispatch('find', {
      source: container,
      type: step === 'first' ? '' : 'again',
      query,
      caseSensitive: false,
      entireWord: false,
      highlightAll: true,
      matchDiacritics: false,
      findPrevious: step === 'previous',
    })
  }
  return {
    goTo: (page) => {
      viewer.currentPageNumber = Math.min(pdf.numPages, Math.max(1, page))
    },
    zoom: (scale) => {
      viewer.currentScaleValue = String(scale)
    },
    find,
    clearFind: () => {
      eventBus.dispatch('findbarclose', { source: container })
      onState({ matches: null, isSearching: false })
    },
    fit: () => viewer.update(),
    // oxlint-disable-next-line unicorn/no-null -- the library's value for no document
    end: () => viewer.setDocument(null as unknown as PDFDocumentProxy),
  }
}
