// @vitest-environment jsdom
import { afterEach, describe, expect, test, vi } from 'vitest'
import { keyMap, keyPlaces, keysOf } from './key-map.ts'
import { isKey, readableKey, setSingleKeys } from './keys.ts'

const press = (key: string, ...modifiers: readonly ('ctrl' | 'meta' | 'alt' | 'shift')[]) => ({
  key,
  ctrlKey: modifiers.includes('ctrl'),
  metaKey: modifiers.includes('meta'),
  altKey: modifiers.includes('alt'),
  shiftKey: modifiers.includes('shift'),
})

afterEach(() => {
  localStorage.clear()
  vi.restoreAllMocks()
})

describe('a press', () => {
  test.each([
    [press('k', 'ctrl'), 'Mod-k', true],
    [press('K', 'meta'), 'Mod-k', true],
    [press('k', 'ctrl', 'shift'), 'Mod-k', false],
    [press('k', 'ctrl', 'alt'), 'Mod-k', false],
    [press('k'), 'Mod-k', false],
    [press('?', 'shift'), '?', true],
    [press('？', 'shift'), '?', true],
    [press('?', 'ctrl', 'shift'), '?', false],
    [press(' '), 'Space', true],
    [press('Enter', 'shift'), 'Enter', true],
    [press('F10'), 'Shift-F10', false],
    [press('F10', 'shift'), 'Shift-F10', true],
    [press('F2', 'alt'), 'F2', false],
  ])('%j is %s: %s', (event, written, expected) => {
    expect(isKey(event, [written])).toBe(expected)
  })

  test('of a single character does nothing where those are switched off; others do', () => {
    setSingleKeys(false)
    expect([isKey(press('?'), ['?']), isKey(press('k'), ['Space', 'k'])]).toEqual([false, false])
    expect([isKey(press(' '), ['Space']), isKey(press('k', 'ctrl'), ['Mod-k'])]).toEqual([true, true])
    setSingleKeys(true)
    expect(isKey(press('?'), ['?'])).toBe(true)
  })
})

test('keys are written as they stand on the keyboard of the reader', () => {
  expect(['Mod-Shift-x', 'Escape', 'Shift-ArrowUp'].map(readableKey)).toEqual([
    'Ctrl+Shift+X',
    'Esc',
    'Shift+↑',
  ])
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)')
  expect(readableKey('Mod-Shift-x')).toBe('⌘⇧X')
})

test('no key means two things at one place', () => {
  const twice = keyPlaces.flatMap((place) => {
    const keys = keysOf(place).flatMap((row) => row.keys)
    return keys.filter((key, index) => keys.indexOf(key) !== index)
  })
  expect(twice).toEqual([])
  expect(keysOf('anywhere').map(({ name }) => name)).toContain('anywhere.palette')
  expect(keyMap.editor.heading).toHaveLength(6)
})
