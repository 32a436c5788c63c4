import { expect, test, vi } from 'vitest'
import { closeTopLayer, openLayer } from './layer-stack.ts'

test('what is on top is closed, and what lies below it only when that has gone', () => {
  const below = vi.fn<() => void>()
  const onTop = vi.fn<() => void>()
  const takeBelow = openLayer(below)
  const takeTop = openLayer(onTop)
  expect(closeTopLayer()).toBe(true)
  // The top layer asks first, so it is still open.
  expect(closeTopLayer()).toBe(true)
  expect(onTop).toHaveBeenCalledTimes(2)
  expect(below).not.toHaveBeenCalled()
  takeTop()
  expect(closeTopLayer()).toBe(true)
  expect(below).toHaveBeenCalledTimes(1)
  takeBelow()
  expect(closeTopLayer()).toBe(false)
})

test('what goes from below leaves what lies over it', () => {
  const onTop = vi.fn<() => void>()
  const takeBelow = openLayer(() => undefined)
  const takeTop = openLayer(onTop)
  takeBelow()
  closeTopLayer()
  expect(onTop).toHaveBeenCalledTimes(1)
  takeTop()
})
