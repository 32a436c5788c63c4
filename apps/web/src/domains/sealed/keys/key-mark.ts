import { readStored, writeStored } from '../../../lib/browser/storage.ts'

/**
 * Flag in localStorage that is set while this browser might store keys. A logout must read the flag synchronously,
 * because the user can close the tab right after the click.
 */
const KEY_MARK = 'dropleaf-sealed-keys'

export const areKeysMarked = (): boolean => readStored(KEY_MARK) !== null

export const markKeys = (mayKeep: boolean): void => void writeStored(KEY_MARK, mayKeep ? '1' : null)
