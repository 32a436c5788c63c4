import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DARK, DARK_HUES, LIGHT, LIGHT_HUES } from './diagram-colours.ts'

const base = readFileSync(join(import.meta.dirname, '../../../ui/theme/tokens.css'), 'utf8')
const [light = '', dark = ''] = base.split("[data-mantine-color-scheme='dark']")
const tokenIn = (scheme: string, role: string) => new RegExp(`--dl-${role}: ([^;]+);`).exec(scheme)?.[1]

const luminance = (hex: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const contrast = (one: string, other: string): number => {
  const [less = 0, more = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (more + 0.05) / (less + 0.05)
}

test.each([
  ['light', LIGHT, light],
  ['dark', DARK, dark],
] as const)('diagrams have the colours of the page, %s', (_, colours, scheme) => {
  for (const [role, value] of Object.entries(colours))
    expect([role, value]).toEqual([role, tokenIn(scheme, role)])
})

test.each([
  ['light', LIGHT, LIGHT_HUES],
  ['dark', DARK, DARK_HUES],
] as const)('words on a hue, and a hue on the page, can be read, %s', (_, { bg }, hues) => {
  expect(hues).toHaveLength(12)
  expect(hues.filter((hue) => contrast(hue, bg) < 4.5)).toEqual([])
})
