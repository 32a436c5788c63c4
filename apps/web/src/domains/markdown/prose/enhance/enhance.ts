import type { RelativeFiles } from '../../render/relative-links.ts'
import type { Language } from '../../../../i18n/languages.ts'
import { enhanceCodeBlocks } from './code-blocks.ts'
import { enhanceRelativeLinks } from './relative-links.ts'
import { moveCutTables } from './cut-tables.ts'
import { ViewportGroups, ViewportTasks } from './viewport-tasks.ts'
import { enhanceFootnotes } from './footnotes.ts'
import { HAS_FORMULA, prepareForPrint } from './print.ts'
import { type ShownPicture, enhanceMedia, enhancePicture } from './pictures.ts'
import { type ReadingWords, loadReadingWords } from './words.ts'

/** An overlay that is opened from within a text. */
export type ProseView =
  | { readonly kind: 'pictures'; readonly pictures: readonly ShownPicture[]; readonly index: number }
  | { readonly kind: 'page'; readonly html: string }

export interface EnhanceOptions {
  readonly language: Language
  /** Copies a text and shows a message about the result. */
  readonly copyText: (text: string) => void
  readonly open: (view: ProseView) => void
  /** Files that relative URLs in the text can reference. */
  readonly beside: RelativeFiles | null
  /** Aborted when the text is no longer shown. */
  readonly signal: AbortSignal
}

export interface Enhancement extends EnhanceOptions {
  readonly words: ReadingWords
  readonly near: ViewportTasks
  /** Element that contains the whole text. */
  readonly shownIn: HTMLElement
  readonly onPicture: (image: HTMLImageElement) => void
}

const HAS_DIAGRAM = 'pre > code.language-mermaid'

/** Loads formula and diagram code only if the text needs it. */
async function enhanceHeavy(root: HTMLElement, enhancement: Enhancement): Promise<void> {
  const [formulas, diagrams] = await Promise.all([
    root.querySelector(HAS_FORMULA) && import('./formulas.ts'),
    root.querySelector(HAS_DIAGRAM) && import('./diagrams.ts'),
  ])
  if (enhancement.signal.aborted) return
  formulas?.enhanceFormulas(root, enhancement)
  diagrams?.enhanceDiagrams(root, enhancement)
}

async function enhancePart(root: HTMLElement, enhancement: Enhancement): Promise<void> {
  enhanceFootnotes(root, enhancement.words)
  enhanceRelativeLinks(root, enhancement)
  for (const image of root.querySelectorAll('img')) enhancePicture(image, enhancement)
  for (const media of root.querySelectorAll<HTMLMediaElement>('video, audio'))
    enhanceMedia(media, enhancement)
  enhanceCodeBlocks(root, enhancement)
  await enhanceHeavy(root, enhancement)
}

export interface Enhancer {
  /** Enhances a part of the text when it comes near the viewport. */
  readonly enhancePiece: (piece: HTMLElement) => void
  readonly enhanceWhole: () => Promise<void>
}

/**
 * Creates an enhancer for sanitised text. It adds highlighting, formulas, diagrams, and buttons to copy, expand,
 * enlarge and show results. It starts before the text is visible and applies cached results at once.
 */
export async function makeEnhancer(shownIn: HTMLElement, options: EnhanceOptions): Promise<Enhancer> {
  const words = await loadReadingWords(options.language)
  const near = new ViewportTasks(options.signal)
  const nearGroups = new ViewportGroups(near)
  const enhancement: Enhancement = {
    ...options,
    words,
    near,
    shownIn,
    onPicture: (image) => enhancePicture(image, enhancement),
  }
  const noteNews = prepareForPrint(enhancement)
  moveCutTables(shownIn, options.signal)
  return {
    enhancePiece: (piece) => {
      nearGroups.add(piece, () => near.add(piece, () => enhancePart(piece, enhancement)))
      noteNews()
    },
    enhanceWhole: async () => {
      noteNews()
      await enhancePart(shownIn, enhancement)
    },
  }
}
