import { elementOf } from '../reading/package-files.ts'

/** Named colours of slides (`accent1`, `tx1`), as `#rrggbb`. */
export type Theme = ReadonlyMap<string, string>

/** Colours of a document without a theme. */
const PLAIN: Theme = new Map([
  ['dk1', '#000000'],
  ['lt1', '#ffffff'],
])
/** Default colour map of a master. */
const USUAL_NAMES = { bg1: 'lt1', tx1: 'dk1', bg2: 'lt2', tx2: 'dk2' } as const

const hexOf = (value: string | null | undefined) =>
  value && /^[0-9a-f]{6}$/i.test(value) ? `#${value.toLowerCase()}` : ''

/**
 * @param theme the theme part of the master
 * @param map the `clrMap` of the master
 */
export function readTheme(theme: Document | null, map: Element | undefined): Theme {
  const colours = new Map(PLAIN)
  const scheme = theme && elementOf(theme, 'clrScheme')
  for (const named of scheme?.children ?? []) {
    const value = named.firstElementChild
    const hex = hexOf(value?.getAttribute(value.localName === 'sysClr' ? 'lastClr' : 'val'))
    if (hex !== '') colours.set(named.localName, hex)
  }
  for (const [name, usual] of Object.entries(USUAL_NAMES)) {
    const colour = colours.get(map?.getAttribute(name) ?? usual)
    if (colour !== undefined) colours.set(name, colour)
  }
  return colours
}

type Channels = readonly [red: number, green: number, blue: number]

const channelsOf = (hex: string): Channels => [
  Number.parseInt(hex.slice(1, 3), 16) / 255,
  Number.parseInt(hex.slice(3, 5), 16) / 255,
  Number.parseInt(hex.slice(5, 7), 16) / 255,
]

const lightnessOf = (channels: Channels) => (Math.max(...channels) + Math.min(...channels)) / 2

const toHex = (channels: readonly number[]) =>
  `#${channels
    .map((channel) => Math.round(Math.min(1, Math.max(0, channel)) * 255))
    .map((value) => value.toString(16).padStart(2, '0'))
    .join('')}`

/** Sets the lightness (0 to 1) in HSL. */
function withLightness(channels: Channels, lightness: number): readonly number[] {
  const own = lightnessOf(channels)
  const room = 1 - Math.abs(2 * own - 1)
  const spread = room === 0 ? 0 : (1 - Math.abs(2 * lightness - 1)) / room
  return channels.map((channel) => lightness + (channel - own) * spread)
}

/** Applies a modifier to a colour. Source: ECMA-376 part 1, 20.1.2.3, read 2026-11-23. */
function change(channels: Channels, { localName, part }: { localName: string; part: number }): Channels {
  const lightness = lightnessOf(channels)
  const changed = () => {
    switch (localName) {
      case 'lumMod':
        return withLightness(channels, Math.min(1, lightness * part))
      case 'lumOff':
        return withLightness(channels, Math.min(1, lightness + part))
      case 'shade':
        return channels.map((channel) => channel * part)
      case 'tint':
        return channels.map((channel) => 1 - (1 - channel) * part)
      default:
        return channels
    }
  }
  const [red = 0, green = 0, blue = 0] = changed()
  return [red, green, blue]
}

const PRESETS: Readonly<Record<string, string>> = {
  black: '#000000',
  white: '#ffffff',
  red: '#ff0000',
  green: '#008000',
  blue: '#0000ff',
  yellow: '#ffff00',
  gray: '#808080',
}

/** Returns the colour of an element as `#rrggbb`, or an empty string if it has no known colour. */
export function colourIn(holder: Element | undefined, theme: Theme): string {
  for (const element of holder?.children ?? []) {
    const value = element.getAttribute('val') ?? ''
    const own = {
      srgbClr: hexOf(value),
      schemeClr: theme.get(value) ?? '',
      sysClr: hexOf(element.getAttribute('lastClr')),
      prstClr: PRESETS[value] ?? '',
    }[element.localName]
    if (!own) continue
    let channels = channelsOf(own)
    for (const { localName, attributes } of element.children) {
      const part = Number(attributes.getNamedItem('val')?.value) / 100_000
      if (Number.isFinite(part)) channels = change(channels, { localName, part })
    }
    return toHex(channels)
  }
  return ''
}

const childOf = (element: Element | undefined, name: string) =>
  element && [...element.children].find(({ localName }) => localName === name)

/**
 * Returns the fill of an element, or the first colour of a gradient. Returns `null` for an explicit "no fill" and an
 * empty string if unspecified.
 */
export function fillOf(element: Element | undefined, theme: Theme): string | null {
  if (childOf(element, 'noFill')) return null
  const gradient = childOf(element, 'gradFill')
  const stop = gradient && elementOf(gradient, 'gs')
  return colourIn(childOf(element, 'solidFill') ?? stop, theme)
}
