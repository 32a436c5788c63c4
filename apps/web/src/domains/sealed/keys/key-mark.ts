import { readStored, writeStored } from '../../../lib/browser/storage.ts'

/**
 * Flag in localStorage, set while this browser might keep keys. A logout reads it at once: a user who closes the tab
 * right after the click must be logged out.
 */
const KEY_MARK = 'dropleaf-sealed-keys'

export const areKeysMarked = (): boolean => readStored(KEY_MARK) !== null

export const markKeys = (mayKeep: boolean): void => void writeStored(KEY_MARK, mayKeep ? '1' : null)
