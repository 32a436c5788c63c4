// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { formulaToMathml } from './formula.ts'

const M = 'http://schemas.openxmlformats.org/officeDocument/2006/math'
const r = (text: string, properties = '') => `<m:r>${properties}<m:t>${text}</m:t></m:r>`

/** Returns the MathML of a formula without attributes on tokens. */
function draw(omml: string): string {
  const xml = new DOMParser().parseFromString(`<m:oMath xmlns:m="${M}">${omml}</m:oMath>`, 'text/xml')
  const math = formulaToMathml(xml.documentElement, document, false)
  return math.firstElementChild?.innerHTML ?? ''
}

const e = (inner: string, name = 'e') => `<m:${name}>${inner}</m:${name}>`
const mi = (text: string) => `<mi>${text}</mi>`

test('an exponent of several tokens stays one exponent', () => {
  expect(draw(`<m:sSup>${e(r('e'))}${e(r('-x2'), 'sup')}</m:sSup>`)).toBe(
    '<msup><mi>e</mi><mrow><mo>−</mo><mi>x</mi><mn>2</mn></mrow></msup>',
  )
  const nested = `<m:sSup>${e(r('e'))}${e(`${r('-')}<m:sSup>${e(r('x'))}${e(r('2'), 'sup')}</m:sSup>`, 'sup')}</m:sSup>`
  expect(draw(nested)).toBe('<msup><mi>e</mi><mrow><mo>−</mo><msup><mi>x</mi><mn>2</mn></msup></mrow></msup>')
})

test('subscripts and superscripts, also before the base', () => {
  expect(draw(`<m:sSubSup>${e(r('x'))}${e(r('i+1'), 'sub')}${e(r('12'), 'sup')}</m:sSubSup>`)).toBe(
    '<msubsup><mi>x</mi><mrow><mi>i</mi><mo>+</mo><mn>1</mn></mrow><mn>12</mn></msubsup>',
  )
  expect(draw(`<m:sPre>${e(r('1'), 'sub')}${e(r('2'), 'sup')}${e(r('X'))}</m:sPre>`)).toBe(
    '<mmultiscripts><mi>X</mi><mprescripts></mprescripts><mn>1</mn><mn>2</mn></mmultiscripts>',
  )
})

test('fractions and roots', () => {
  const parts = `${e(r('a+b'), 'num')}${e(r('c'), 'den')}`
  expect(draw(`<m:f>${parts}</m:f>`)).toBe(
    '<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>',
  )
  expect(draw(`<m:f><m:fPr><m:type m:val="noBar"/></m:fPr>${parts}</m:f>`)).toContain('linethickness="0"')
  expect(draw(`<m:rad><m:radPr><m:degHide/></m:radPr><m:deg/>${e(r('x'))}</m:rad>`)).toBe(
    '<msqrt><mi>x</mi></msqrt>',
  )
  expect(draw(`<m:rad>${e(r('3'), 'deg')}${e(r('x'))}</m:rad>`)).toBe('<mroot><mi>x</mi><mn>3</mn></mroot>')
})

test('sums and integrals have their limits where Word has them', () => {
  const limits = `${e(r('i=1'), 'sub')}${e(r('n'), 'sup')}${e(r('i'))}`
  const sum = draw(`<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${limits}</m:nary>`)
  expect(sum).toMatch(
    /^<mrow><munderover><mo[^>]*>∑<\/mo><mrow>.*<\/mrow><mi>n<\/mi><\/munderover><mi>i<\/mi>/,
  )
  expect(draw(`<m:nary>${limits}</m:nary>`)).toMatch(/^<mrow><msubsup><mo[^>]*>∫/)
  const open = `<m:nary><m:naryPr><m:subHide m:val="1"/><m:supHide m:val="on"/></m:naryPr><m:sub/><m:sup/>${e(r('f'))}</m:nary>`
  expect(draw(open)).toMatch(/^<mrow><mrow><mo[^>]*>∫<\/mo><\/mrow><mi>f<\/mi>/)
})

test('matrices, lines and brackets', () => {
  const row = (...cells: string[]) => `<m:mr>${cells.map((cell) => e(r(cell))).join('')}</m:mr>`
  const cell = (text: string) => `<mtd><mn>${text}</mn></mtd>`
  const matrix = `<m:m>${row('1', '0')}${row('0', '1')}</m:m>`
  expect(draw(matrix)).toBe(
    `<mtable><mtr>${cell('1')}${cell('0')}</mtr><mtr>${cell('0')}${cell('1')}</mtr></mtable>`,
  )
  const braces = `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${e(`<m:eqArr>${e(r('a&amp;=1'))}${e(r('b&amp;=2'))}</m:eqArr>`)}</m:d>`
  expect(draw(braces)).toMatch(/^<mrow><mo[^>]*>\{<\/mo><mtable>.*<\/mtable><\/mrow>$/)
  expect(draw(braces)).not.toContain('&amp;')
  expect(draw(`<m:d>${e(r('a'))}${e(r('b'))}</m:d>`).replaceAll(/ [a-z]+="[a-z]+"/g, '')).toBe(
    '<mrow><mo>(</mo><mi>a</mi><mo>|</mo><mi>b</mi><mo>)</mo></mrow>',
  )
})

test('accents, bars, braces below and limits', () => {
  expect(draw(`<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>${e(r('v'))}</m:acc>`)).toBe(
    '<mover accent="true"><mi>v</mi><mo stretchy="true">→</mo></mover>',
  )
  expect(draw(`<m:acc>${e(r('x'))}</m:acc>`)).toContain('^')
  expect(draw(`<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>${e(r('z'))}</m:bar>`)).toMatch(/^<mover>/)
  expect(draw(`<m:groupChr>${e(r('ab'))}</m:groupChr>`)).toMatch(/^<munder><mrow>.*⏟/)
  const plain = '<m:rPr><m:sty m:val="p"/></m:rPr>'
  const limit = `<m:func><m:fName><m:limLow>${e(r('lim', plain))}${e(r('x→0'), 'lim')}</m:limLow></m:fName>${e(r('f'))}</m:func>`
  expect(draw(limit)).toMatch(
    /^<mrow><munder><mi mathvariant="normal">lim<\/mi><mrow>.*<\/mrow><\/munder><mo>\u2061<\/mo><mi>f<\/mi><\/mrow>$/,
  )
})

test('words are text, and unknown elements are replaced by their content', () => {
  expect(draw(r('if x', '<m:rPr><m:nor/></m:rPr>'))).toBe('<mtext>if x</mtext>')
  expect(draw(r('R', '<m:rPr><m:scr m:val="double-struck"/></m:rPr>'))).toBe(mi('ℝ'))
  expect(draw(`<m:box>${e(r('y'))}</m:box><m:constructor>${r('z')}</m:constructor>`)).toBe(mi('y') + mi('z'))
  expect(draw(`<m:phant><m:phantPr><m:show m:val="0"/></m:phantPr>${e(r('y'))}</m:phant>`)).toBe(
    '<mphantom><mi>y</mi></mphantom>',
  )
})
