import {
  Math as Equation,
  type MathComponent,
  MathFraction,
  MathLimitLower,
  MathLimitUpper,
  MathRadical,
  MathRun,
  MathSubScript,
  MathSubSuperScript,
  MathSuperScript,
} from 'docx'
import { MathMatrix } from 'docx/math'

const partsOf = (element: Element): Element[] => [...element.children]

const inside = (element: Element | undefined): MathComponent[] => (element ? convert(element) : [])

function rowsOf(table: Element): MathComponent[][][] {
  return partsOf(table).map((row) => partsOf(row).map((cell) => partsOf(cell).flatMap(convert)))
}

type Maker = (parts: readonly (Element | undefined)[]) => MathComponent[]

/** Converters for MathML elements that have an equivalent in Word equations. */
const SHAPES: Readonly<Record<string, Maker>> = {
  mfrac: ([top, bottom]) => [new MathFraction({ numerator: inside(top), denominator: inside(bottom) })],
  msup: ([base, above]) => [new MathSuperScript({ children: inside(base), superScript: inside(above) })],
  msub: ([base, below]) => [new MathSubScript({ children: inside(base), subScript: inside(below) })],
  msubsup: ([base, below, above]) => [
    new MathSubSuperScript({
      children: inside(base),
      subScript: inside(below),
      superScript: inside(above),
    }),
  ],
  munder: ([base, below]) => [new MathLimitLower({ children: inside(base), limit: inside(below) })],
  mover: ([base, above]) => [new MathLimitUpper({ children: inside(base), limit: inside(above) })],
  munderover: ([base, below, above]) => [
    new MathLimitUpper({
      children: [new MathLimitLower({ children: inside(base), limit: inside(below) })],
      limit: inside(above),
    }),
  ],
  mroot: ([base, degree]) => [new MathRadical({ children: inside(base), degree: inside(degree) })],
}

/**
 * Converts a MathML element to Word equation parts. An element without an equivalent is replaced by its children, or by
 * its text if it has none.
 */
function convert(element: Element): MathComponent[] {
  const name = element.localName
  const shape = SHAPES[name]
  if (shape) return shape(partsOf(element))
  if (name === 'msqrt') return [new MathRadical({ children: partsOf(element).flatMap(convert) })]
  if (name === 'mtable') return [new MathMatrix({ rows: rowsOf(element) })]
  if (name === 'annotation') return []
  if (name === 'mspace') return [new MathRun(' ')]
  if (element.children.length > 0) return partsOf(element).flatMap(convert)
  return element.textContent ? [new MathRun(element.textContent)] : []
}

export const toEquation = (math: Element): Equation => new Equation({ children: convert(math) })
