import { beforeEach, expect, test } from 'vitest'
import { addToBasket, type BasketItem, clearBasket, getBasket, removeFromBasket } from './basket.ts'

const file = (path: string, size = 1): BasketItem => ({
  path,
  name: path.slice(path.lastIndexOf('/') + 1),
  size,
  isDirectory: false,
})
const folder = (path: string): BasketItem => ({ ...file(path), isDirectory: true })
const paths = () => getBasket().map((item) => item.path)

beforeEach(() => void clearBasket())

test('takes each path once', () => {
  expect(addToBasket([file('/m/a'), file('/m/b'), file('/m/a')])).toEqual({ added: 2, skipped: 1 })
  expect(addToBasket([file('/m/b'), file('/m/c')])).toEqual({ added: 1, skipped: 1 })
  removeFromBasket(['/m/b', '/m/none'])
  expect(paths()).toEqual(['/m/a', '/m/c'])
})

test('a folder includes everything below it, and nothing beside it', () => {
  addToBasket([file('/m/d/1'), file('/m/d2/2'), folder('/m/d/e')])
  expect(addToBasket([folder('/m/d')])).toEqual({ added: 1, skipped: 0 })
  expect(paths()).toEqual(['/m/d2/2', '/m/d'])
  expect(addToBasket([file('/m/d/3'), file('/m/d3')])).toEqual({ added: 1, skipped: 1 })
})

test('an emptied basket can be restored, and its size is limited', () => {
  const many = Array.from({ length: 1200 }, (_, n) => file(`/m/${n}`))
  expect(addToBasket(many)).toEqual({ added: 1000, skipped: 200 })
  const before = clearBasket()
  expect(paths()).toEqual([])
  addToBasket(before)
  expect(paths()).toHaveLength(1000)
})
