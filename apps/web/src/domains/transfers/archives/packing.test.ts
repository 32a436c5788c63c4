import { expect, test } from 'vitest'
import { isWhole } from './packing.ts'

test('the missing files of an archive identify the incomplete items of the basket', () => {
  const failures = ['/m/a.txt: gone', '/m/trip/day/1.jpg: no answer', '/m/out: no answer']
  const wholeness = (paths: string[]) => paths.map((path) => isWhole({ path }, failures))
  expect(wholeness(['/m/a.txt', '/m/trip', '/m/trip/', '/m/out/'])).toEqual([false, false, false, false])
  expect(wholeness(['/m/a.txt.bak', '/m/tri', '/m/b.txt', '/m/trip2/'])).toEqual([true, true, true, true])
  expect(isWhole({ path: '/m/a.txt' }, [])).toBe(true)
})
