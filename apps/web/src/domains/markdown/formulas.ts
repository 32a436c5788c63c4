import type * as katexModule from 'katex'

type Katex = (typeof katexModule)['default']

const LONGEST = 20_000
const REMEMBERED = 500

let katex: Katex | null = null
const remembered = new Map<string, string>()

export async function loadKatex(): Promise<Katex> {
  const [module] = await Promise.all([
    import('katex'),
    // Adds chemical formulas (`\ce`, `\pu`) to KaTeX.
    import('katex/contrib/mhchem'),
    import('katex/dist/katex.min.css'),
  ])
  katex = module.default
  return katex
}

export class FormulaError extends Error {
  override name = 'FormulaError'
}

const keyOf = (source: string, isDisplay: boolean) => `${isDisplay ? 'D' : 'I'}${source}`

/**
 * Returns the cached HTML of a formula, or `null`. The cache avoids rendering again, because a preview shows the same
 * formulas after each key press.
 */
export const formulaBefore = (source: string, isDisplay: boolean): string | null =>
  remembered.get(keyOf(source, isDisplay)) ?? null

/** Output format. `mathml` is for other programs, which do not have KaTeX's fonts. */
type FormulaOutput = 'htmlAndMathml' | 'mathml'

interface RenderOptions {
  readonly isDisplay: boolean
  readonly output: FormulaOutput
}

function render(source: string, { renderToString, ParseError }: Katex, { isDisplay, output }: RenderOptions) {
  if (source.length > LONGEST) throw new FormulaError(`more than ${LONGEST} characters`)
  try {
    return renderToString(source, {
      displayMode: isDisplay,
      output,
      trust: false,
      strict: 'ignore',
      maxExpand: 1000,
      maxSize: 100,
      throwOnError: true,
    })
  } catch (error) {
    const reason = error instanceof ParseError ? error.rawMessage : 'KaTeX'
    throw new FormulaError(reason, { cause: error })
  }
}

/**
 * Renders a formula with KaTeX, as HTML or only as MathML. The result is escaped and contains no links or images.
 * @throws {FormulaError} with an English message, if the formula is faulty or too long
 * @throws if KaTeX cannot be loaded
 */
export async function drawFormula(
  source: string,
  isDisplay: boolean,
  output: FormulaOutput = 'htmlAndMathml',
): Promise<string> {
  const before = output === 'htmlAndMathml' ? formulaBefore(source, isDisplay) : null
  if (before !== null) return before
  const html = render(source, katex ?? (await loadKatex()), { isDisplay, output })
  if (output === 'htmlAndMathml') remember(keyOf(source, isDisplay), html)
  return html
}

/** Renders MathML synchronously. Returns `null` before {@link loadKatex}, and for a faulty formula. */
export function drawFormulaAtOnce(source: string, isDisplay: boolean): string | null {
  if (!katex) return null
  try {
    return render(source, katex, { isDisplay, output: 'mathml' })
  } catch {
    return null
  }
}

function remember(key: string, html: string): void {
  remembered.set(key, html)
  const oldest = remembered.size > REMEMBERED ? remembered.keys().next().value : undefined
  if (oldest !== undefined) remembered.delete(oldest)
}
