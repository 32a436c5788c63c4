/** Converts Word formulas (OMML) to MathML. Source: ECMA-376 part 1, 22.1, read 2026-11-22. */

const MATHML = 'http://www.w3.org/1998/Math/MathML'

type Attributes = Readonly<Record<string, string>>

class Drawing {
  readonly #page: Document
  constructor(page: Document) {
    this.#page = page
  }

  make(name: string, children: readonly (Node | string)[], attributes: Attributes = {}): Element {
    const element = this.#page.createElementNS(MATHML, name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    element.append(...children)
    return element
  }

  operator(sign: string, attributes: Attributes = {}): Element {
    return this.make('mo', [sign], attributes)
  }
}

const partsOf = (element: Element, name: string): readonly Element[] =>
  [...element.children].filter(({ localName }) => localName === name)
const partOf = (element: Element, name: string): Element | undefined => partsOf(element, name)[0]

const valueIn = (element: Element | undefined): string | null =>
  [...(element?.attributes ?? [])].find(({ localName }) => localName === 'val')?.value ?? null

/**
 * Returns the value of a property. Returns `undefined` for an absent property and an empty string for an empty one.
 */
function property(element: Element, name: string): string | undefined {
  const properties = [...element.children].find(({ localName }) => localName === `${element.localName}Pr`)
  const found = properties && partOf(properties, name)
  return found ? (valueIn(found) ?? '') : undefined
}

/** Whether a switch is on. A switch without a value is on. */
function isOn(element: Element, name: string): boolean {
  const value = property(element, name)
  return value !== undefined && !['0', 'off', 'false'].includes(value)
}

/**
 * Splits text into tokens. A number is one token, each letter is a variable, white space is one token, and any other
 * character is an operator.
 */
const TOKENS = /(\d+(?:[.,]\d+)*)|(\p{L}\p{M}*)|(\s+)|([^\d\p{L}\s]\p{M}*)/gu
/** Like {@link TOKENS}, but a word is one token. */
const WORDS = /(\d+(?:[.,]\d+)*)|([\p{L}\p{M}]+)|(\s+)|([^\d\p{L}\s]\p{M}*)/gu

/** Double-struck letters whose code points are outside the contiguous block. */
const HOLLOW: Readonly<Record<string, string>> = { C: 'ℂ', H: 'ℍ', N: 'ℕ', P: 'ℙ', Q: 'ℚ', R: 'ℝ', Z: 'ℤ' }
const HOLLOW_A = 0x1_d5_38
const LETTER_A = 65

const toHollow = (text: string) =>
  text.replaceAll(
    /[A-Z]/g,
    (letter) =>
      HOLLOW[letter] ?? String.fromCodePoint(HOLLOW_A + (letter.codePointAt(0) ?? LETTER_A) - LETTER_A),
  )

function drawRun(drawing: Drawing, run: Element): Element[] {
  const written = partsOf(run, 't').map(({ textContent }) => textContent)
  const properties = partOf(run, 'rPr')
  const style = properties && valueIn(partOf(properties, 'sty'))
  const isHollow = properties && valueIn(partOf(properties, 'scr')) === 'double-struck'
  const text = isHollow ? toHollow(written.join('')) : written.join('')
  if (properties && partOf(properties, 'nor')) return text === '' ? [] : [drawing.make('mtext', [text])]
  const isUpright = style === 'p' || style === 'b'
  const isBold = style === 'b' || style === 'bi'
  const look: Attributes = {
    ...(isUpright && { mathvariant: 'normal' }),
    ...(isBold && { style: 'font-weight: bold' }),
  }
  return [...text.matchAll(isUpright ? WORDS : TOKENS)].map(([token, number, letters, blank]) => {
    if (number !== undefined) return drawing.make('mn', [token])
    if (letters !== undefined) return drawing.make('mi', [token], look)
    if (blank !== undefined) return drawing.make('mtext', ['\u00A0'.repeat(token.length)])
    return drawing.operator(token === '-' ? '−' : token)
  })
}

/** Draws the content of a part as a single element. */
function drawPart(drawing: Drawing, part: Element | undefined): Element {
  const drawn = part ? drawAll(drawing, part) : []
  const [only] = drawn
  return drawn.length === 1 && only ? only : drawing.make('mrow', drawn)
}

const isEmpty = (part: Element | undefined) => part === undefined || part.textContent.trim() === ''

/** Spacing characters for combining accents. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u0300': '`',
  '\u0301': '´',
  '\u0302': '^',
  '\u0303': '~',
  '\u0304': '¯',
  '\u0305': '¯',
  '\u0306': '˘',
  '\u0307': '˙',
  '\u0308': '¨',
  '\u030A': '˚',
  '\u030C': 'ˇ',
  '\u20D6': '←',
  '\u20D7': '→',
  '\u20DB': '⋯',
  '\u20E1': '↔',
}

type Draw = (drawing: Drawing, element: Element) => Element

function drawNary(drawing: Drawing, element: Element): Element {
  const sign = property(element, 'chr') ?? '∫'
  const isIntegral = /[\u222B-\u2233]/.test(sign)
  const place = property(element, 'limLoc') ?? (isIntegral ? 'subSup' : 'undOvr')
  const [below, above] = [partOf(element, 'sub'), partOf(element, 'sup')]
  const hasBelow = !isOn(element, 'subHide') && !isEmpty(below)
  const hasAbove = !isOn(element, 'supHide') && !isEmpty(above)
  const isAside = place === 'subSup'
  const parts = [
    drawing.operator(sign, { largeop: 'true', movablelimits: 'false' }),
    ...(hasBelow ? [drawPart(drawing, below)] : []),
    ...(hasAbove ? [drawPart(drawing, above)] : []),
  ]
  const names = isAside ? ['msub', 'msup', 'msubsup'] : ['munder', 'mover', 'munderover']
  const name = hasBelow && hasAbove ? names[2] : hasBelow ? names[0] : hasAbove ? names[1] : 'mrow'
  return drawing.make('mrow', [drawing.make(name ?? 'mrow', parts), drawPart(drawing, partOf(element, 'e'))])
}

function drawDelimiters(drawing: Drawing, element: Element): Element {
  const fence = (sign: string, form: 'prefix' | 'infix' | 'postfix') =>
    sign === '' ? [] : [drawing.operator(sign, { fence: 'true', stretchy: 'true', form })]
  const between = property(element, 'sepChr') ?? '|'
  const inner = partsOf(element, 'e').flatMap((part, index) => [
    ...(index === 0 ? [] : fence(between, 'infix')),
    drawPart(drawing, part),
  ])
  return drawing.make('mrow', [
    ...fence(property(element, 'begChr') ?? '(', 'prefix'),
    ...inner,
    ...fence(property(element, 'endChr') ?? ')', 'postfix'),
  ])
}

function drawFraction(drawing: Drawing, element: Element): Element {
  const parts = ['num', 'den'].map((name) => drawPart(drawing, partOf(element, name)))
  const type = property(element, 'type')
  if (type !== 'lin') return drawing.make('mfrac', parts, type === 'noBar' ? { linethickness: '0' } : {})
  const [top = '', bottom = ''] = parts
  return drawing.make('mrow', [top, drawing.operator('/'), bottom])
}

function drawRoot(drawing: Drawing, element: Element): Element {
  const base = drawPart(drawing, partOf(element, 'e'))
  const degree = partOf(element, 'deg')
  if (isOn(element, 'degHide') || isEmpty(degree)) return drawing.make('msqrt', [base])
  return drawing.make('mroot', [base, drawPart(drawing, degree)])
}

/** Draws lines aligned to the left. Removes `&`, which marks alignment positions. */
function drawLines(drawing: Drawing, element: Element): Element {
  const rows = partsOf(element, 'e').map((line) => {
    const copy = line.cloneNode(true) as Element
    for (const text of copy.getElementsByTagNameNS('*', 't'))
      text.textContent = text.textContent.replaceAll('&', '')
    return drawing.make('mtr', [
      drawing.make('mtd', [drawPart(drawing, copy)], { style: 'text-align: left' }),
    ])
  })
  return drawing.make('mtable', rows)
}

const drawMatrix: Draw = (drawing, element) =>
  drawing.make(
    'mtable',
    partsOf(element, 'mr').map((row) =>
      drawing.make(
        'mtr',
        partsOf(row, 'e').map((cell) => drawing.make('mtd', [drawPart(drawing, cell)])),
      ),
    ),
  )

/** Draws a base with subscripts or superscripts. */
const script =
  (name: string, ...parts: readonly string[]): Draw =>
  (drawing, element) =>
    drawing.make(
      name,
      ['e', ...parts].map((part) => drawPart(drawing, partOf(element, part))),
    )

const before: Draw = (drawing, element) =>
  drawing.make('mmultiscripts', [
    drawPart(drawing, partOf(element, 'e')),
    drawing.make('mprescripts', []),
    drawPart(drawing, partOf(element, 'sub')),
    drawPart(drawing, partOf(element, 'sup')),
  ])

const over = (drawing: Drawing, element: Element, sign: string, attributes: Attributes = {}) =>
  drawing.make(
    'mover',
    [drawPart(drawing, partOf(element, 'e')), drawing.operator(sign, { stretchy: 'true' })],
    attributes,
  )
const under = (drawing: Drawing, element: Element, sign: string) =>
  drawing.make('munder', [
    drawPart(drawing, partOf(element, 'e')),
    drawing.operator(sign, { stretchy: 'true' }),
  ])

function drawAccent(drawing: Drawing, element: Element): Element {
  const mark = property(element, 'chr') ?? '\u0302'
  return over(drawing, element, ACCENTS[mark] ?? mark, { accent: 'true' })
}

const drawGroup: Draw = (drawing, element) => {
  const sign = property(element, 'chr') ?? '⏟'
  return property(element, 'pos') === 'top' ? over(drawing, element, sign) : under(drawing, element, sign)
}

const drawBox: Draw = (drawing, element) =>
  drawing.make('mrow', [drawPart(drawing, partOf(element, 'e'))], {
    style: 'border: 1px solid; padding: 0.2em',
  })

const drawFunction: Draw = (drawing, element) =>
  drawing.make('mrow', [
    drawPart(drawing, partOf(element, 'fName')),
    drawing.operator('\u2061'),
    drawPart(drawing, partOf(element, 'e')),
  ])

const drawGhost: Draw = (drawing, element) => {
  const part = drawPart(drawing, partOf(element, 'e'))
  const show = property(element, 'show')
  return show !== undefined && ['0', 'off', 'false'].includes(show) ? drawing.make('mphantom', [part]) : part
}

const SHAPES: Readonly<Record<string, Draw>> = {
  f: drawFraction,
  rad: drawRoot,
  sSup: script('msup', 'sup'),
  sSub: script('msub', 'sub'),
  sSubSup: script('msubsup', 'sub', 'sup'),
  sPre: before,
  limLow: script('munder', 'lim'),
  limUpp: script('mover', 'lim'),
  nary: drawNary,
  d: drawDelimiters,
  m: drawMatrix,
  eqArr: drawLines,
  acc: drawAccent,
  bar: (drawing, element) =>
    property(element, 'pos') === 'top' ? over(drawing, element, '¯') : under(drawing, element, '_'),
  groupChr: drawGroup,
  borderBox: drawBox,
  func: drawFunction,
  phant: drawGhost,
}

/** Whether an element is not drawn: properties and deleted text. */
const isSilent = (name: string) => name.endsWith('Pr') || name === 'del' || name === 'moveFrom'

function drawAll(drawing: Drawing, parent: Element): Element[] {
  return [...parent.children].flatMap((element) => {
    const name = element.localName
    const shape = Object.hasOwn(SHAPES, name) ? SHAPES[name] : undefined
    if (shape) return [shape(drawing, element)]
    if (name === 'r') return drawRun(drawing, element)
    return isSilent(name) ? [] : drawAll(drawing, element)
  })
}

/**
 * @param formula `m:oMath`
 * @param page the document that owns the result
 * @param isBlock whether it is a display formula
 */
export function formulaToMathml(formula: Element, page: Document, isBlock: boolean): Element {
  const drawing = new Drawing(page)
  const parts = drawAll(drawing, formula)
  return drawing.make('math', [drawing.make('mrow', parts)], isBlock ? { display: 'block' } : {})
}
