import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Tests the rules of `docs/design.md`: values come from the tokens, and colours have enough contrast. */
const SOURCES = join(import.meta.dirname, '../..')
const TOKENS = join(import.meta.dirname, 'tokens.css')
/** Files that may define colours: the tokens, and the leaf, which is the same in both schemes. */
const COLOURED = new Set(['ui/theme/tokens.css', 'ui/theme/page.css'])

const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.css'))
  .map((name) => join(SOURCES, name))

interface Declaration {
  readonly where: string
  readonly property: string
  readonly value: string
}

/** Declarations of all style sheets, except for print styles. */
const declarations: readonly Declaration[] = files.flatMap((file) => {
  const screen = readFileSync(file, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/@media print \{[\s\S]*?\n\}/g, '')
  return [...screen.matchAll(/(?<=[;{\s])([-a-z]+):\s*([^;{}]+);/g)].map(([, property = '', value = '']) => ({
    where: relative(SOURCES, file),
    property,
    value: value.replaceAll(/\s+/g, ' '),
  }))
})

/** Returns the declarations of the given properties that break a rule. */
const offending = (properties: RegExp, isRight: (value: string) => boolean): string[] =>
  declarations
    .filter(({ property, value }) => properties.test(property) && !isRight(value))
    .map(({ where, property, value }) => `${where}: ${property}: ${value}`)

/** Allowed spaces: steps of 4 px, with half steps within a group. Larger values follow from other sizes. */
const SPACES = new Set([0, 1, 2, 4, 6, 8, 12, 16, 20, 24])

describe('values come from the tokens', () => {
  test('sizes of letters', () => {
    const isRight = (value: string) => /^(?:0|inherit|[\d.]+em|.*var\(--dl-type-\w+\).*)$/.test(value)
    expect(offending(/^font-size$/, isRight)).toEqual([])
    expect(offending(/^font$/, isRight)).toEqual([])
  })
  test('corners', () => {
    const isRight = (value: string) =>
      value.split(' ').every((part) => /^(?:0|inherit|var\(--dl-radius(?:-\w+)?\))$/.test(part))
    expect(offending(/^border(?:-[a-z]+)*-radius$/, isRight)).toEqual([])
  })
  test('shadows', () => {
    const isRight = (value: string) => /^none$|^var\(--dl-shadow-\w+\)$|^\S+ 0 0 \S*\s?var\(--dl-/.test(value)
    expect(offending(/^box-shadow$/, isRight)).toEqual([])
  })
  test('layers above the page', () => {
    const isRight = (value: string) => value.startsWith('var(--dl-layer-') || Number(value) < 10
    expect(offending(/^z-index$/, isRight)).toEqual([])
  })
  test('motion', () => {
    const isRight = (value: string) =>
      value.startsWith('none') || /var\(--dl-motion-\w+\)|infinite|dl-appear/.test(value)
    expect(offending(/^(?:transition|animation)$/, isRight)).toEqual([])
  })
  test('colours', () => {
    const isRight = (value: string) => !/#[\da-f]{3,8}\b|\brgba?\(|\bhsl/i.test(value)
    // The gradient of a mask is excluded, because its colours are not visible.
    const isOurs = ({ where, property }: Declaration) =>
      !COLOURED.has(where) && !property.startsWith('--dl-code-') && property !== 'mask-image'
    const wrong = declarations.filter((declaration) => isOurs(declaration) && !isRight(declaration.value))
    expect(wrong).toEqual([])
  })
  test('widths of the screen that a layout is for, by the letters that somebody has set', () => {
    const inPixels = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/@(?:media|container)[^{]*\dpx[^{]*/g)].map(
        ([query]) => `${relative(SOURCES, file)}: ${query}`,
      ),
    )
    expect(inPixels).toEqual([])
  })
  test('heights and widths of what may hold words', () => {
    // Sizes below 24 px are for icons. Distances to the edges of the viewport are spaces, so they are left out.
    const isRight = (value: string) =>
      [...value.replaceAll(/d?v[hw] - \d+px/g, '').matchAll(/(\d+)px/g)].every(([, px]) => Number(px) < 24)
    expect(offending(/^(?:(?:min-|max-)?(?:height|width)|grid-template-columns)$/, isRight)).toEqual([])
  })
  test('spaces', () => {
    const isRight = (value: string) =>
      value.includes('calc(') ||
      [...value.matchAll(/-?(\d+)px/g)].every(([, px]) => Number(px) > 24 || SPACES.has(Number(px)))
    expect(offending(/^(?:gap|row-gap|column-gap|padding|margin)(?:-[a-z]+)*$/, isRight)).toEqual([])
  })
})

/** Relative luminance. Source: WCAG 2.2, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance, read 2026-11-23. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (light + 0.05) / (dark + 0.05)
}

const colours = (css: string) =>
  Object.fromEntries([...css.matchAll(/--dl-([-\w]+): (#[\da-f]{6});/g)].map(([, name, hex]) => [name, hex]))

const base = readFileSync(TOKENS, 'utf8')
const [light = '', dark = ''] = base.split("[data-mantine-color-scheme='dark']")
const schemes = { light: colours(light), dark: { ...colours(light), ...colours(dark) } }

const GROUNDS = ['bg', 'surface', 'sunken']
/** Foreground, backgrounds and minimum contrast: 4.5 for text, 3 for lines and icons (WCAG 1.4.3 and 1.4.11). */
const PAIRS: ReadonlyArray<readonly [string, readonly string[], number]> = [
  ['text', [...GROUNDS, 'chosen', 'accent-soft', 'danger-soft', 'warn-soft', 'mark'], 7],
  ['muted', [...GROUNDS, 'accent-soft', 'danger-soft', 'warn-soft'], 4.5],
  ['accent', [...GROUNDS, 'chosen', 'accent-soft'], 4.5],
  ['danger', [...GROUNDS, 'danger-soft'], 4.5],
  ['warn', [...GROUNDS, 'warn-soft'], 4.5],
  ['line-strong', GROUNDS, 3],
]

describe.each(Object.entries(schemes))('colours of the %s scheme', (_, scheme) => {
  test.each(PAIRS)('%s stands out on %j by %d', (name, grounds, least) => {
    for (const ground of grounds) {
      const [front, behind] = [scheme[name], scheme[ground]]
      if (front === undefined || behind === undefined) throw new Error(`${name} or ${ground} is no colour.`)
      expect([ground, contrast(front, behind)]).toEqual([ground, expect.any(Number)])
      expect(contrast(front, behind), `${name} on ${ground}`).toBeGreaterThanOrEqual(least)
    }
  })
})
