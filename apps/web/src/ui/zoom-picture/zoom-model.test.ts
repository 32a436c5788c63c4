import { expect, test } from 'vitest'
import { fitZoom, isFit, moveBy, scaleTo } from './zoom-model.ts'

const sizes = { width: 2000, height: 1000, frameWidth: 500, frameHeight: 500 }

test('a picture is shown whole, and never blown up by itself', () => {
  expect(fitZoom(sizes)).toEqual({ scale: 0.25, x: 0, y: 0 })
  expect(fitZoom({ ...sizes, width: 40, height: 20 }).scale).toBe(1)
})

test('the point under the pointer stays where it is', () => {
  const fit = fitZoom(sizes)
  const zoomed = scaleTo(fit, sizes, 1, { x: 100, y: 0 })
  const pointOf = ({ scale, x }: typeof fit) => (100 - x) / scale
  expect(pointOf(zoomed)).toBeCloseTo(pointOf(fit))
  expect(zoomed.scale).toBe(1)
})

test('zooming ends at the whole picture and at eight times', () => {
  const fit = fitZoom(sizes)
  expect(scaleTo(fit, sizes, 0.01)).toEqual(fit)
  expect(scaleTo(fit, sizes, 100).scale).toBe(8)
  expect(isFit(fit, sizes)).toBe(true)
  expect(isFit(scaleTo(fit, sizes, 0.5), sizes)).toBe(false)
})

test('the picture cannot be moved out of its frame', () => {
  const whole = scaleTo(fitZoom(sizes), sizes, 1)
  expect(moveBy(whole, sizes, { x: 9999, y: -9999 })).toEqual({ scale: 1, x: 750, y: -250 })
  expect(moveBy(fitZoom(sizes), sizes, { x: 50, y: 50 })).toEqual(fitZoom(sizes))
})

test('making it smaller brings it back to the middle', () => {
  const aside = moveBy(scaleTo(fitZoom(sizes), sizes, 1), sizes, { x: 750, y: 250 })
  expect(scaleTo(aside, sizes, 0.25)).toEqual(fitZoom(sizes))
})
