import type { FilesBeside } from '../../render/relative-links.ts'
import type { Language } from '../../../../i18n/languages.ts'
import { dressCodeBlocks } from './code-blocks.ts'
import { dressBeside } from './relative-links.ts'
import { moveCutTables } from './cut-tables.ts'
import { NearGroups, NearScreen } from './near-screen.ts'
import { dressNotes } from './notes.ts'
import { HAS_FORMULA, getReadyForPaper } from './print.ts'
import { type ShownPicture, dressMedia, dressPicture } from './pictures.ts'
import { type ReadingWords, loadReadingWords } from './words.ts'

/** What a text opens over the page. */
export type ProseView =
  | { readonly kind: 'pictures'; readonly pictures: readonly ShownPicture[]; readonly index: number }
  | { readonly kind: 'page'; readonly html: string }

export interface DressOptions {
  readonly language: Language
  /** Answers whether it worked, and says so itself if not. */
  readonly copyText: (text: string) => void
  readonly open: (view: ProseView) => void
  /** Given where relative addresses lead to other files. */
  readonly beside: FilesBeside | null
  /** Aborted when the text is no longer shown. */
  readonly signal: AbortSignal
}

export interface Dressing extends DressOptions {
  readonly words: ReadingWords
  readonly near: NearScreen
  /** The whole text. */
  readonly shownIn: HTMLElement
  readonly onPicture: (image: HTMLImageElement) => void
}

const HAS_DIAGRAM = 'pre > code.language-mermaid'

/** Code of what is not in the text is not fetched. */
async function dressHeavy(root: HTMLElement, dressing: Dressing): Promise<void> {
  const [formulas, diagrams] = await Promise.all([
    root.querySelector(HAS_FORMULA) && import('./formulas.ts'),
    root.querySelector(HAS_DIAGRAM) && import('./diagrams.ts'),
  ])
  if (dressing.signal.aborted) return
  formulas?.dressFormulas(root, dressing)
  diagrams?.dressDiagrams(root, dressing)
}

async function dressPart(root: HTMLElement, dressing: Dressing): Promise<void> {
  dressNotes(root, dressing.words)
  dressBeside(root, dressing)
  for (const image of root.querySelectorAll('img')) dressPicture(image, dressing)
  for (const media of root.querySelectorAll<HTMLMediaElement>('video, audio')) dressMedia(media, dressing)
  dressCodeBlocks(root, dressing)
  await dressHeavy(root, dressing)
}

export interface Dresser {
  /** For a piece of the text, when it comes near the screen. */
  readonly dressPiece: (piece: HTMLElement) => void
  readonly dressWhole: () => Promise<void>
}

/**
 * Gives sanitised text what needs code of ours: colours, formulas, diagrams, and buttons that copy, unfold, enlarge and
 * show. Begun before the text is seen, it is done at once where everything is remembered.
 */
export async function makeDresser(shownIn: HTMLElement, options: DressOptions): Promise<Dresser> {
  const words = await loadReadingWords(options.language)
  const near = new NearScreen(options.signal)
  const nearGroups = new NearGroups(near)
  const dressing: Dressing = {
    ...options,
    words,
    near,
    shownIn,
    onPicture: (image) => dressPicture(image, dressing),
  }
  const noteNews = getReadyForPaper(dressing)
  moveCutTables(shownIn, options.signal)
  return {
    dressPiece: (piece) => {
      nearGroups.add(piece, () => near.add(piece, () => dressPart(piece, dressing)))
      noteNews()
    },
    dressWhole: async () => {
      noteNews()
      await dressPart(shownIn, dressing)
    },
  }
}
