import type * as katexModule from 'katex'

type Katex = (typeof katexModule)['default']

const LONGEST = 20_000
const REMEMBERED = 500

let katex: Katex | null = null
const remembered = new Map<string, string>()

async function loadKatex(): Promise<Katex> {
  const [module] = await Promise.all([import('katex'), import('katex/dist/katex.min.css')])
  katex = module.default
  return katex
}

export class FormulaError extends Error {
  override name = 'FormulaError'
}

const keyOf = (source: string, isDisplay: boolean) => `${isDisplay ? 'D' : 'I'}${source}`

/** What was made of the formula before, if it still is remembered: it is drawn again with every key in a preview. */
export const formulaBefore = (source: string, isDisplay: boolean): string | null =>
  remembered.get(keyOf(source, isDisplay)) ?? null

/** `mathml` alone is for other programs, which bring no fonts of ours. */
export type FormulaOutput = 'htmlAndMathml' | 'mathml'

/**
 * Draws a formula as HTML of KaTeX, which escapes what it is given and makes no links and no pictures here.
 * @throws {FormulaError} with what is wrong with it, in KaTeX's English
 */
export async function drawFormula(
  source: string,
  isDisplay: boolean,
  output: FormulaOutput = 'htmlAndMathml',
): Promise<string> {
  const before = output === 'htmlAndMathml' ? formulaBefore(source, isDisplay) : null
  if (before !== null) return before
  if (source.length > LONGEST) throw new FormulaError(`more than ${LONGEST} characters`)
  const { renderToString, ParseError } = katex ?? (await loadKatex())
  try {
    const html = renderToString(source, {
      displayMode: isDisplay,
      output,
      trust: false,
      strict: 'ignore',
      maxExpand: 1000,
      maxSize: 100,
      throwOnError: true,
    })
    if (output === 'htmlAndMathml') remember(keyOf(source, isDisplay), html)
    return html
  } catch (error) {
    const reason = error instanceof ParseError ? error.rawMessage : 'KaTeX'
    throw new FormulaError(reason, { cause: error })
  }
}

function remember(key: string, html: string): void {
  remembered.set(key, html)
  const oldest = remembered.size > REMEMBERED ? remembered.keys().next().value : undefined
  if (oldest !== undefined) remembered.delete(oldest)
}
