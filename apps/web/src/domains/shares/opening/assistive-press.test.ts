import { expect, test } from 'vitest'
import { isAssistiveClick, isAssistivePointer } from './assistive-press.ts'

const NO_EXTENT = { width: 0, height: 0 }

test('a finger or a pen without an extent has to hold the button', () => {
  for (const pointerType of ['touch', 'pen']) {
    expect(isAssistivePointer({ pointerType, ...NO_EXTENT })).toBe(false)
    expect(isAssistiveClick({ detail: 1, pointerType }, true)).toBe(false)
  }
})

test('a mouse has to hold the button', () => {
  expect(isAssistivePointer({ pointerType: 'mouse', width: 1, height: 1 })).toBe(false)
  expect(isAssistiveClick({ detail: 1, pointerType: 'mouse' }, true)).toBe(false)
  // The click events of older browsers have no pointer type.
  expect(isAssistiveClick({ detail: 1 }, true)).toBe(false)
})

test('a screen reader that imitates a pointer is recognised', () => {
  expect(isAssistivePointer({ pointerType: 'mouse', ...NO_EXTENT })).toBe(true)
  expect(isAssistivePointer({ pointerType: '', width: 1, height: 1 })).toBe(true)
})

test('a click that no pointer began comes from a key, a switch or a screen reader', () => {
  expect(isAssistiveClick({ detail: 0, pointerType: '' }, false)).toBe(true)
  expect(isAssistiveClick({ detail: 1, pointerType: '' }, false)).toBe(true)
  // A pointer has pressed the button and has then left the button.
  expect(isAssistiveClick({ detail: 0 }, true)).toBe(true)
  // A tap that did not press the button first does not open the share.
  expect(isAssistiveClick({ detail: 1, pointerType: 'touch' }, false)).toBe(false)
})
