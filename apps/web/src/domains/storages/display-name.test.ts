import { afterEach, beforeAll, expect, test } from 'vitest'
import { displayName, withoutSameName, withDisplayName } from './display-name.ts'
import { i18n } from '../../i18n/i18n.ts'

beforeAll(async () => {
  const inWords = (localDisk: string) => ({ translation: { common: { localDisk } } })
  await i18n.init({
    lng: 'zh-CN',
    fallbackLng: false,
    resources: { 'zh-CN': inWords('本地磁盘'), 'en-US': inWords('Local disk') },
  })
})
afterEach(() => i18n.changeLanguage('zh-CN'))

test('a name from the server is translated; a name from a user is unchanged', async () => {
  expect(withDisplayName({ id: 'a', name: 'Local disk' })).toEqual({ id: 'a', name: '本地磁盘' })
  expect(['local disk', 'Local disk 2', '磁盘', ''].map(displayName)).toEqual([
    'local disk',
    'Local disk 2',
    '磁盘',
    '',
  ])
  await i18n.changeLanguage('en-US')
  expect(displayName('Local disk')).toBe('Local disk')
})

test('a name is sent only when it was changed, so that a saved form does not fix the language of a name', () => {
  expect(withoutSameName({ name: '本地磁盘', remark: 'x' }, '本地磁盘')).toEqual({ remark: 'x' })
  expect(withoutSameName({ name: 'Disk', remark: 'x' }, '本地磁盘')).toEqual({ name: 'Disk', remark: 'x' })
  expect(withoutSameName({ name: 'Disk' }, undefined)).toEqual({ name: 'Disk' })
})
