import { describe, expect, test } from 'vitest'
import { findByTyping, moveByKey, type TreeRow } from './tree-model.ts'

const row = (id: string, level: number, fields: Partial<TreeRow> = {}): TreeRow => ({
  id,
  name: id,
  level,
  isOpen: false,
  isLeaf: false,
  isBusy: false,
  position: 1,
  siblingCount: 1,
  ...fields,
})

const rows = [
  row('All', 1, { isOpen: true }),
  row('archive', 2, { isOpen: true }),
  row('2030', 3, { isLeaf: true }),
  row('Apples', 2),
  row('文档', 2, { isOpen: true, isBusy: true }),
]

describe('a tree by the keyboard', () => {
  const focus = (id: string) => ({ kind: 'focus', id })
  test('goes from row to row, and no further than the ends', () => {
    expect(moveByKey(rows, 'archive', 'ArrowDown')).toEqual(focus('2030'))
    expect(moveByKey(rows, 'Apples', 'ArrowUp')).toEqual(focus('2030'))
    expect(moveByKey(rows, 'All', 'ArrowUp')).toBeNull()
    expect(moveByKey(rows, '文档', 'ArrowDown')).toBeNull()
    expect(moveByKey(rows, '2030', 'Home')).toEqual(focus('All'))
    expect(moveByKey(rows, '2030', 'End')).toEqual(focus('文档'))
  })
  test('opens, then goes in; closes, then goes out', () => {
    expect(moveByKey(rows, 'Apples', 'ArrowRight')).toEqual({ kind: 'open', id: 'Apples' })
    expect(moveByKey(rows, 'archive', 'ArrowRight')).toEqual(focus('2030'))
    expect(moveByKey(rows, '2030', 'ArrowRight')).toBeNull()
    expect(moveByKey(rows, '文档', 'ArrowRight')).toBeNull()
    expect(moveByKey(rows, 'archive', 'ArrowLeft')).toEqual({ kind: 'close', id: 'archive' })
    expect(moveByKey(rows, '2030', 'ArrowLeft')).toEqual(focus('archive'))
    expect(moveByKey(rows, 'Apples', 'ArrowLeft')).toEqual(focus('All'))
  })
  test('leaves other keys alone', () => {
    expect(moveByKey(rows, 'All', 'Delete')).toBeNull()
    expect(moveByKey(rows, 'gone', 'ArrowDown')).toBeNull()
  })
  test('finds typed text beyond the end, ignoring case', () => {
    expect(findByTyping(rows, 'All', 'a')).toBe('archive')
    expect(findByTyping(rows, 'archive', 'aa')).toBe('Apples')
    expect(findByTyping(rows, 'Apples', 'a')).toBe('All')
    expect(findByTyping(rows, 'archive', 'ap')).toBe('Apples')
    expect(findByTyping(rows, 'archive', 'ar')).toBe('archive')
    expect(findByTyping(rows, '文档', '文')).toBe('文档')
    expect(findByTyping(rows, 'All', 'x')).toBeNull()
  })
})
