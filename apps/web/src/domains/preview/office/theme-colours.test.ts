// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { colourIn, readTheme } from './theme-colours.ts'

const colour = (value: string, changes: string) => {
  const xml = `<a:solidFill xmlns:a="urn:a"><a:srgbClr val="${value}">${changes}</a:srgbClr></a:solidFill>`
  const holder = new DOMParser().parseFromString(xml, 'text/xml').documentElement
  return colourIn(holder, readTheme(null, undefined))
}
const lighter = (percent: number) =>
  `<a:lumMod val="${(100 - percent) * 1000}"/><a:lumOff val="${percent * 1000}"/>`

test.each([
  ['4472C4', 80, '#dae3f3'],
  ['4472C4', 60, '#b4c7e7'],
  ['4472C4', 40, '#8faadc'],
  ['ED7D31', 60, '#f8cbad'],
  ['70AD47', 40, '#a9d18e'],
  ['44546A', 60, '#adb9ca'],
  ['000000', 50, '#808080'],
  ['FFFFFF', 50, '#ffffff'],
])('%s lighter by %i percent is the colour that PowerPoint has', (value, percent, expected) => {
  const found = colour(value, lighter(percent))
  const channels = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const off = channels(found).map((channel, index) => Math.abs(channel - (channels(expected)[index] ?? 0)))
  expect({ found, off: Math.max(...off) <= 1 }).toEqual({ found, off: true })
})

test('a darker colour keeps its hue', () => {
  expect(colour('4472C4', '<a:lumMod val="50000"/>')).toBe('#203864')
})
