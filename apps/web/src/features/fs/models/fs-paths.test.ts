import { describe, expect, test } from 'vitest'
import {
  crumbsOf,
  findNameFault,
  folderOfSplat,
  nameOfPath,
  numberedName,
  parentOf,
  splatOf,
  stemLength,
} from './fs-paths.ts'

describe('paths', () => {
  test('of URLs and folders are converted in both directions', () => {
    expect(folderOfSplat('')).toBe('/')
    expect(folderOfSplat('local/a b/')).toBe('/local/a b/')
    expect(splatOf('/local/a b/')).toBe('local/a b')
    expect(splatOf('/')).toBe('')
  })
  test('have a name and a parent', () => {
    expect(nameOfPath('/local/a/')).toBe('a')
    expect(nameOfPath('/local/a.txt')).toBe('a.txt')
    expect(parentOf('/local/a.txt')).toBe('/local/')
    expect(parentOf('/local/')).toBe('/')
    expect(parentOf('/')).toBe('/')
  })
  test('show the levels below the base only', () => {
    expect(crumbsOf('/team/photos/2030/', '/team/')).toEqual([
      { name: 'photos', path: '/team/photos/' },
      { name: '2030', path: '/team/photos/2030/' },
    ])
    expect(crumbsOf('/team/', '/team/')).toEqual([])
    expect(crumbsOf('/team2/', '/team/')).toEqual([])
  })
})

describe('names', () => {
  test('have a stem without the extension', () => {
    expect(stemLength('photo.tar.gz', { isFolder: false })).toBe('photo.tar'.length)
    expect(stemLength('.env', { isFolder: false })).toBe(4)
    expect(stemLength('v1.2', { isFolder: true })).toBe(4)
  })
  test('are refused with a reason', () => {
    const taken = new Set(['here'])
    expect(
      ['', ' ', 'a/b', '..', 'a\nb', '字'.repeat(86), 'here', 'fine'].map((name) =>
        findNameFault(name, taken),
      ),
    ).toEqual(['empty', 'empty', 'slash', 'dots', 'control', 'long', 'taken', null])
  })
  test('are numbered before the extension', () => {
    expect(numberedName('a.txt', 1)).toBe('a(1).txt')
    expect(numberedName('a(1).txt', 2)).toBe('a(2).txt')
    expect(numberedName('README', 1)).toBe('README(1)')
  })
})
