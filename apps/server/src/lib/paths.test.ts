import { describe, expect, test } from 'vitest'
import { isAtOrBelow, parseVirtualPath, pathBelow, type VirtualPath } from './paths.ts'

const path = (text: string) => parseVirtualPath(text) as VirtualPath

describe('virtual paths', () => {
  test.each([
    ['', '/'],
    ['/', '/'],
    ['a', '/a'],
    ['/a/', '/a'],
    ['/a/b', '/a/b'],
    ['/照片/夏天 2030', '/照片/夏天 2030'],
    ['/100%/x', '/100%/x'],
    ['/50%de desc.txt', '/50%de desc.txt'],
    ['/%ff/%e0%a4%a', '/%ff/%e0%a4%a'],
    ['/a/...', '/a/...'],
    ['/a/..b', '/a/..b'],
    ['/.hidden', '/.hidden'],
  ])('%j is %j', (given, expected) => {
    expect(parseVirtualPath(given)).toBe(expected)
  })

  test('parent segments, hidden characters and unstorable names are refused in every spelling and position', () => {
    const dots = ['.', '..', '%2e', '%2E%2e', '.%2e', '%2e.']
    const slashes = ['/', '%2f', '%2F']
    for (const dot of dots) {
      for (const slash of slashes) {
        for (const text of [
          dot,
          `/${dot}`,
          `${dot}${slash}a`,
          `/a${slash}${dot}`,
          `/a${slash}${dot}${slash}b`,
          `/a/${dot}/`,
        ])
          expect([text, parseVirtualPath(text)]).toEqual([text, null])
      }
    }
    for (const bad of ['\\', '%5c', '\u0000', '%00', '\n', '%0a', '\u007f', '%7f', '//', '%2f%2f', '/%2f'])
      for (const text of [`/a${bad}b`, `a${bad}b`, `/a${bad}`])
        expect([text, parseVirtualPath(text)]).toEqual([text, null])
    const afterOther = ['%ff', '%', '%zz', '50%de'].flatMap((other) => [
      `/a/${other}/%2e%2e/b`,
      `/a/%2e%2e%2f${other}`,
      `/a${other}%2f%2e%2e%2fb`,
      `/a/${other}%2f..`,
    ])
    const overlong = ['%c0%ae%c0%ae', '%C0%AF', '%e0%80%ae', '%f0%80%80%af', '%c1%9c'].map(
      (dot) => `/a/${dot}/b`,
    )
    for (const text of [...afterOther, ...overlong])
      expect([text, parseVirtualPath(text)]).toEqual([text, null])
  })

  test('a result never contains a relative segment, for any input', () => {
    const pieces = ['a', '.', '..', '/', '%2e', '%2f', '%252e', '%ff', '\\', ' ', '%', '字', '\u0000', '//']
    let seed = 1
    const next = (limit: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % limit
    }
    for (let n = 0; n < 20_000; n += 1) {
      const text = Array.from({ length: 1 + next(7) }, () => pieces[next(pieces.length)]).join('')
      const parsed = parseVirtualPath(text)
      if (parsed === null) continue
      const segments = parsed.slice(1).split('/')
      expect(parsed.startsWith('/')).toBe(true)
      expect(segments.some((s) => s === '.' || s === '..' || s.includes('\\') || s.includes('\u0000'))).toBe(
        false,
      )
      expect(parsed === '/' || !segments.includes('')).toBe(true)
      expect(parseVirtualPath(parsed)).toBe(parsed)
    }
  })

  test('a path with the same prefix is not below the folder', () => {
    expect(isAtOrBelow(path('/a/b'), path('/a'))).toBe(true)
    expect(isAtOrBelow(path('/a'), path('/a/'))).toBe(true)
    expect(isAtOrBelow(path('/ab'), path('/a'))).toBe(false)
    expect(isAtOrBelow(path('/a'), path('/a/b'))).toBe(false)
    expect(isAtOrBelow(path('/anything'), path('/'))).toBe(true)
    expect(pathBelow(path('/a/b/c'), path('/a'))).toBe('b/c')
    expect(pathBelow(path('/a'), path('/a'))).toBe('')
    expect(pathBelow(path('/a/b'), path('/'))).toBe('a/b')
  })
})
