// @vitest-environment jsdom
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { leaveKeysToInputMethods } from './input-methods.ts'

const heard: string[] = []

beforeAll(() => {
  leaveKeysToInputMethods()
  document.addEventListener('keydown', () => heard.push('document, first'), { capture: true })
  window.addEventListener('keydown', () => heard.push('window'))
})

beforeEach(() => {
  heard.length = 0
  document.body.innerHTML = '<form><input><p contenteditable="true"><b>x</b></p></form>'
  document.querySelector('form')?.addEventListener('keydown', () => heard.push('form'))
  for (const own of document.querySelectorAll('input, p'))
    own.addEventListener('keydown', () => heard.push('own'))
})

const press = (selector: string, how: KeyboardEventInit) =>
  document
    .querySelector(selector)
    ?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...how }))

test.each([
  ['while something is composed', { isComposing: true }],
  ['right after it, as in Safari', { keyCode: 229 }],
])('no field hears of the keys of an input method: %s', (_when, how) => {
  for (const key of ['Enter', 'Escape', 'ArrowDown']) press('input', { key, ...how })
  expect(heard).toEqual([])
})

test('an editor receives them, and no element around it does', () => {
  press('b', { isComposing: true })
  expect(heard).toEqual(['document, first', 'own'])
  heard.length = 0
  press('b', {})
  expect(heard).toEqual(['document, first', 'own', 'form', 'window'])
})

test('all elements receive all other keys', () => {
  press('input', {})
  expect(heard).toEqual(['document, first', 'own', 'form', 'window'])
})

test('nothing else listens before it, nor judges by itself what is composed', () => {
  const root = path.join(import.meta.dirname, '../..')
  const own = new Set(['lib/keyboard/input-methods.ts', 'lib/keyboard/input-methods.test.ts'])
  const others = globSync('**/*.{ts,tsx}', { cwd: root }).filter((name) => !own.has(name))
  const early = /window\.addEventListener\(\s*'keydown',[^)]*(?:true|capture)/s
  // The rich editor and the early field are excluded, because they check compositions for other reasons.
  const asking = new Set(['domains/editor/rich/rich-view.ts', 'domains/editor/early-field.ts'])
  const judging = others.filter((name) => {
    const source = readFileSync(path.join(root, name), 'utf8')
    return early.test(source) || (!asking.has(name) && source.includes('isComposing'))
  })
  expect(judging).toEqual([])
  const main = readFileSync(path.join(root, 'main.tsx'), 'utf8')
  expect(main).toMatch(/async function start\(\) \{\n\s*leaveKeysToInputMethods\(\)/)
})
