import { expect, test, vi } from 'vitest'
import { closeTopLayer, openLayer } from './layer-stack.ts'

test('the top layer is closed first, and a lower one only afterwards', () => {
  const below = vi.fn<() => void>()
  const onTop = vi.fn<() => void>()
  const takeBelow = openLayer(below)
  const takeTop = openLayer(onTop)
  expect(closeTopLayer()).toBe(true)
  // The top layer first asks for confirmation, so it is still open.
  expect(closeTopLayer()).toBe(true)
  expect(onTop).toHaveBeenCalledTimes(2)
  expect(below).not.toHaveBeenCalled()
  takeTop()
  expect(closeTopLayer()).toBe(true)
  expect(below).toHaveBeenCalledTimes(1)
  takeBelow()
  expect(closeTopLayer()).toBe(false)
})

test('removing a lower layer keeps the layers above it', () => {
  const onTop = vi.fn<() => void>()
  const takeBelow = openLayer(() => undefined)
  const takeTop = openLayer(onTop)
  takeBelow()
  closeTopLayer()
  expect(onTop).toHaveBeenCalledTimes(1)
  takeTop()
})
