import { expect, test } from 'vitest'
import { itemsOfPlaces } from './place-items.ts'

const file = (name: string) => ({ path: `/m/${name}`, name, isFolder: false })
const folder = (name: string) => ({ path: `/m/${name}/`, name, isFolder: true })

test('files are references with the chosen mode, folders are live', () => {
  expect(itemsOfPlaces([file('a.txt'), folder('b')], 'pin')).toEqual({
    items: [
      { path: 'a.txt', source: { ref: { path: '/m/a.txt', mode: 'pin' } } },
      { path: 'b', source: { folder: { path: '/m/b/' } } },
    ],
    renamed: [],
  })
})
test('conflicting names get different names in the bundle, and refer to the same files', () => {
  const { items, renamed } = itemsOfPlaces([file('a.txt'), file('A.txt'), file('x\\y')], 'follow')
  expect(items.map(({ path }) => path)).toEqual(['a.txt', 'A (2).txt', 'x_y'])
  expect(items[2]?.source).toEqual({ ref: { path: '/m/x\\y', mode: 'follow' } })
  expect(renamed).toEqual([
    { from: 'A.txt', to: 'A (2).txt' },
    { from: 'x\\y', to: 'x_y' },
  ])
})
