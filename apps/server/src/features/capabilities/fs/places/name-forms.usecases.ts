import { parseFolderKey, parseStorageKey, type StorageDriver, StorageError } from '@dropleaf/storage'

/**
 * Unicode writes `é` in two ways, which look the same: composed, as most keyboards do, and decomposed, as macOS hands names on.
 * To a storage they are two names.
 */
const FORMS = ['NFC', 'NFD'] as const

// eslint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\u0000-\u007f]*$/

/** A name as it is written first, then in its other forms; most names have none. */
function formsOf(name: string): readonly string[] {
  if (ASCII.test(name)) return [name]
  return [...new Set([name, ...FORMS.map((form) => name.normalize(form))])]
}

async function isThere(driver: StorageDriver, path: string, o: { isLast: boolean }): Promise<boolean> {
  try {
    if (o.isLast && (await driver.stat(parseStorageKey(path)))) return true
    return (await driver.statFolder(parseFolderKey(`${path}/`))) !== null
  } catch (error) {
    if (error instanceof StorageError && error.code === 'storage.invalid_key') return false
    throw error
  }
}

/**
 * A path in a storage in the form in which it lies there: as it is written where that is there, else each of its names in
 * another form that is. What is not there in any form stays as it is written, in the folder that is there.
 */
export async function asStored(driver: StorageDriver, path: string): Promise<string> {
  const names = path.split('/')
  if (names.every((name) => formsOf(name).length === 1)) return path
  if (await isThere(driver, path, { isLast: true })) return path
  let found = ''
  for (const [depth, name] of names.entries()) {
    const isLast = depth === names.length - 1
    const forms = formsOf(name)
    let there = name
    if (forms.length > 1)
      for (const form of forms)
        if (await isThere(driver, found + form, { isLast })) {
          there = form
          break
        }
    found += isLast ? there : `${there}/`
  }
  return found
}
