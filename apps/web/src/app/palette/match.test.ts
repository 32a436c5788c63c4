import { expect, test } from 'vitest'
import { distanceOf, findMatching } from './match.ts'

const item = (names: string, also = '') => ({ names: names.split('|'), also })

test.each([
  ['', '首页|Home', true],
  ['up', '上传页面|Upload page', true],
  ['上传', 'Upload page|上传页面', true],
  ['ＵＰＬＯＡＤ', 'Upload page', true],
  ['page upl', 'Upload page', true],
  ['page xyz', 'Upload page', false],
  ['  ', 'Upload page', true],
  ['api 新建', '新建 API 密钥|New API key', true],
])('%j finds %s: %s', (query, names, isFound) => {
  expect(distanceOf(query, item(names)) !== null).toBe(isFound)
})

test('matches in the current language come before other languages, prefixes before other parts, names before further words', () => {
  const items = [
    item('Texts', 'manage'),
    item('管理|Manage'),
    item('Can manage'),
    item('Unmanageable'),
    item('Manage keys'),
  ]
  expect(findMatching('manage', items).map(({ names }) => names[0])).toEqual([
    'Manage keys',
    'Can manage',
    'Unmanageable',
    '管理',
    'Texts',
  ])
  expect(findMatching('nothing', items)).toEqual([])
})
