import { parseFolderKey, parseStorageKey, type StorageDriver, StorageError } from '@dropleaf/storage'

/**
 * Unicode has two forms of characters like `é`: composed, which most keyboards produce, and decomposed, which macOS
 * uses in names. A storage treats the two forms as different names.
 */
const FORMS = ['NFC', 'NFD'] as const

// eslint-disable-next-line no-control-regex -- all of ASCII
const ASCII = /^[\u0000-\u007f]*$/

/** Returns the given name first, then its other forms. Most names have no other form. */
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
 * Returns the path in the form that exists in the storage: each name as given if it exists, otherwise in another form
 * that exists. Names that do not exist stay as given.
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
