import { readStored, writeStored } from '../browser/storage.ts'

const SINGLE_KEYS = 'single_keys'

/** Whether single-character shortcuts are enabled. Users of speech input can disable them. */
export const hasSingleKeys = (): boolean => readStored(SINGLE_KEYS) !== 'off'

export const setSingleKeys = (isOn: boolean): void => {
  writeStored(SINGLE_KEYS, isOn ? null : 'off')
}

interface KeyPress {
  readonly key: string
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  readonly shiftKey: boolean
}

const isSign = (name: string) => name.length === 1

/** Maps the punctuation of Chinese keyboards to ASCII. */
const nameOf = (key: string) => (key === ' ' ? 'Space' : isSign(key) ? key.normalize('NFKC') : key)

function isOneOf(press: KeyPress, written: string): boolean {
  const parts = written.split('-')
  const name = parts.at(-1) ?? ''
  const hasCommand = press.ctrlKey || press.metaKey
  if (hasCommand !== parts.includes('Mod') || press.altKey !== parts.includes('Alt')) return false
  // Without `Mod`, Shift only counts if it is part of the shortcut, because characters such as `?` need Shift on some
  // keyboards.
  const isExact = hasCommand || parts.includes('Shift')
  if (isExact && press.shiftKey !== parts.includes('Shift')) return false
  if (isSign(written) && !hasSingleKeys()) return false
  const pressed = nameOf(press.key)
  return isSign(name) ? pressed.toLowerCase() === name.toLowerCase() : pressed === name
}

/** Whether an event matches a shortcut of `key-map.ts`. `Mod` is Ctrl or Cmd. */
export const isKey = (press: KeyPress, keys: readonly string[]): boolean =>
  keys.some((written) => isOneOf(press, written))

const isMac = () => /mac|iphone|ipad/i.test(navigator.userAgent)

const SIGNS: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
}
const OF_MAC: Readonly<Record<string, string>> = { Mod: '⌘', Shift: '⇧', Alt: '⌥' }

const readablePart = (part: string): string => {
  if (isMac() && OF_MAC[part] !== undefined) return OF_MAC[part]
  if (part === 'Mod') return 'Ctrl'
  return SIGNS[part] ?? (isSign(part) ? part.toUpperCase() : part)
}

/** Returns the parts of a shortcut as labelled on a keyboard: `Ctrl`, `Shift`, `X`, or `⌘`, `⇧`, `X` on a Mac. */
export const readableParts = (written: string): readonly string[] => written.split('-').map(readablePart)

/** Returns the shortcut as one string: `Ctrl+Shift+X`, or `⌘⇧X` on a Mac. */
export const readableKey = (written: string): string => readableParts(written).join(isMac() ? '' : '+')
