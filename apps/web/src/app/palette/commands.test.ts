import { describe, expect, test } from 'vitest'
import type { Session } from '../../domains/session/stored-session.ts'
import { palette as english } from '../../locales/en-US/palette.ts'
import { palette as chinese } from '../../locales/zh-CN/palette.ts'
import { arrange, asRecent } from './arrange.ts'
import { type Circumstances, commandsFor } from './commands.ts'
import { type PaletteItem, titleOf } from './items.ts'

const VISITOR: Session = { kind: 'none' }
const ADMIN: Session = { kind: 'admin', token: 't' }
const keyWith = (...may: readonly ('text' | 'file' | 'mount')[]): Session => ({
  kind: 'apikey',
  key: 'k',
  permissions: {
    text: may.includes('text'),
    file: may.includes('file'),
    mount: may.includes('mount'),
    mount_read_only: false,
  },
  info: { id: '1', name: 'one', basic_path: '/' },
})

const inEnglish: Omit<Circumstances, 'session'> = {
  language: 'en-US',
  theme: 'auto',
  isActionAvailable: () => false,
  hasWaiting: false,
  words: english,
  adminWord: 'Admin',
}
const inChinese = { ...inEnglish, language: 'zh-CN', words: chinese, adminWord: '管理' } as const

const idsOf = (items: readonly PaletteItem[]) => items.map(({ id }) => id)
const commandsOf = (session: Session, more: Partial<Circumstances> = {}) =>
  idsOf(commandsFor({ ...inEnglish, session, ...more }))

const OF_ALL = ['language:zh-CN', 'themeLight', 'themeDark', 'keys']

describe('commands by user', () => {
  test('a visitor: the pages of the header, the login and the settings of this device', () => {
    expect(commandsOf(VISITOR)).toEqual(['home', 'upload', 'explorer', 'login', ...OF_ALL])
  })
  test('a key: what it may use', () => {
    expect(commandsOf(keyWith('text'))).toEqual([
      'home',
      'text-management',
      'shares',
      'newText',
      ...OF_ALL,
      'logout',
    ])
    expect(commandsOf(keyWith('file'))).toEqual([
      'home',
      'upload',
      'file-management',
      'shares',
      'uploadFiles',
      ...OF_ALL,
      'logout',
    ])
    expect(commandsOf(keyWith('mount'))).toEqual([
      'home',
      'explorer',
      'mount-management',
      'webdav',
      ...OF_ALL,
      'logout',
    ])
  })
  test('the administrator: everything', () => {
    const all = commandsOf(ADMIN)
    for (const id of [
      'dashboard',
      'settings',
      'audit',
      'guide',
      'newKey',
      'newMount',
      'newStorage',
      'newText',
      'logout',
    ])
      expect(all).toContain(id)
    expect(all).not.toContain('login')
    expect(new Set(all).size).toBe(all.length)
  })
  test('the actions of the open page, and the pending changes', () => {
    const isActionAvailable: Circumstances['isActionAvailable'] = (action) => action === 'new-folder'
    expect(commandsOf(keyWith('mount'), { isActionAvailable, hasWaiting: true })).toEqual(
      expect.arrayContaining(['newFolder', 'waiting']),
    )
    expect(commandsOf(keyWith('mount'))).not.toContain('newFolder')
  })
  test('the themes and the languages except the current ones', () => {
    expect(commandsOf(VISITOR, { theme: 'dark' })).toEqual(
      expect.arrayContaining(['themeLight', 'themeAuto']),
    )
    expect(commandsOf(VISITOR, { theme: 'dark' })).not.toContain('themeDark')
    expect(commandsOf(VISITOR, inChinese)).toContain('language:en-US')
  })
})

describe('words of either language', () => {
  const first = (query: string, more: Partial<Circumstances>) => {
    const commands = commandsFor({ ...inEnglish, session: ADMIN, ...more })
    return arrange(query, { commands, found: [], recent: [] })[0]?.items[0]?.id
  }
  test.each([
    ['upload', 'upload'],
    ['settings', 'settings'],
    ['audit', 'audit'],
    ['深色', 'themeDark'],
    ['dark', 'themeDark'],
    ['api key', 'newKey'],
    ['english', 'language:en-US'],
    ['logout', undefined],
    ['log out', 'logout'],
  ])('%j in a Chinese interface: %s', (query, id) => {
    expect(first(query, inChinese)).toBe(id)
  })
  test.each([
    ['上传', 'upload'],
    ['仪表', 'dashboard'],
    ['快捷键', 'keys'],
    ['中文', 'language:zh-CN'],
    ['新建密钥', 'newKey'],
    ['新建存储', 'newStorage'],
    ['网络驱动器', 'webdav'],
    ['admin dash', 'dashboard'],
  ])('%j in an English one: %s', (query, id) => {
    expect(first(query, inEnglish)).toBe(id)
  })
})

describe('the order', () => {
  const commands = commandsFor({ ...inEnglish, session: ADMIN })
  const share: PaletteItem = {
    id: 'texts:1',
    group: 'texts',
    Icon: () => null,
    names: ['Settings of the printer'],
    also: '',
    detail: '/abc',
    act: { kind: 'open', path: '/paste/abc' },
  }
  test('the most recent commands come first, once, while nothing is typed', () => {
    const settings = commands.filter(({ id }) => id === 'settings')
    const recent = [share, ...settings].map(asRecent)
    const groups = arrange(' ', { commands, found: [share], recent })
    expect(groups[0]).toMatchObject({ group: 'recent', items: [{ id: 'texts:1' }, { id: 'settings' }] })
    const all = groups.flatMap(({ items }) => idsOf(items))
    expect(new Set(all).size).toBe(all.length)
  })
  test('commands that are no longer permitted are not recent ones', () => {
    const own = commandsFor({ ...inEnglish, session: VISITOR })
    const recent = commands.filter(({ id }) => id === 'settings').map(asRecent)
    expect(arrange('', { commands: own, found: [], recent }).map(({ group }) => group)).toEqual(['go', 'act'])
  })
  test('commands come before the results of the server, which can match more than names', () => {
    const groups = arrange('settings', { commands, found: [share], recent: [] })
    expect(groups.map(({ group }) => group)).toEqual(['go', 'texts'])
    expect(groups[0]?.items.map(titleOf)).toEqual(['Settings'])
  })
})
