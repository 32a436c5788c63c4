// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { pickFromDrop, pickFromInput, pickWithHandles } from './picked-files.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

const BATCH = 100

interface Tree {
  readonly [name: string]: Tree | string
}

function entryOf(name: string, content: Tree | string): FileSystemEntry {
  if (typeof content === 'string') {
    const file = (resolve: (file: File) => void) => resolve(new File([content], name))
    return { isFile: true, isDirectory: false, name, file } as unknown as FileSystemEntry
  }
  const createReader = () => {
    const left = Object.entries(content).map(([child, inside]) => entryOf(child, inside))
    return { readEntries: (resolve: (batch: FileSystemEntry[]) => void) => resolve(left.splice(0, BATCH)) }
  }
  return { isFile: false, isDirectory: true, name, createReader } as unknown as FileSystemEntry
}

const transferOf = (tree: Tree) =>
  ({
    items: Object.entries(tree).map(([name, content]) => ({
      kind: 'file',
      webkitGetAsEntry: () => entryOf(name, content),
      getAsFile: () => (typeof content === 'string' ? new File([content], name) : null),
    })),
  }) as unknown as DataTransfer

test('a dropped tree is read completely, also if browsers return it in batches', async () => {
  const many = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`${index}.txt`, 'x']))
  const { files, emptyFolders } = await pickFromDrop(
    transferOf({ 'top.txt': 'top', trip: { day: { many, empty: {} }, 'a.txt': 'a' } }),
  )
  expect(files).toHaveLength(252)
  expect(files.filter(({ folder }) => folder === 'trip/day/many/')).toHaveLength(250)
  expect(files.find(({ file }) => file.name === 'top.txt')?.folder).toBe('')
  expect(files.find(({ file }) => file.name === 'a.txt')?.folder).toBe('trip/')
  expect(emptyFolders).toEqual(['trip/day/empty/'])
})

test('each file of a chosen folder has its path below the target', () => {
  const file = (name: string, webkitRelativePath: string) =>
    Object.defineProperty(new File(['x'], name), 'webkitRelativePath', { value: webkitRelativePath })
  const list = [file('a.txt', ''), file('b.txt', 'trip/day/b.txt')] as unknown as FileList
  expect(pickFromInput(list).map(({ folder }) => folder)).toEqual(['', 'trip/day/'])
})

test('files are chosen with handles if the browser supports them, otherwise by the file input', async () => {
  expect(await pickWithHandles()).toBeNull()
  const file = new File(['x'], 'a.bin')
  const handle = { getFile: () => Promise.resolve(file) }
  vi.stubGlobal('showOpenFilePicker', () => Promise.resolve([handle]))
  expect(await pickWithHandles()).toEqual([{ file, folder: '', handle }])
  vi.stubGlobal('showOpenFilePicker', () => Promise.reject(new DOMException('', 'AbortError')))
  expect(await pickWithHandles()).toEqual([])
  vi.stubGlobal('showOpenFilePicker', () => Promise.reject(new DOMException('', 'SecurityError')))
  expect(await pickWithHandles()).toBeNull()
})
