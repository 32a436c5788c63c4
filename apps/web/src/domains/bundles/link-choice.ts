import { readStored, writeStored } from '../../lib/browser/storage.ts'

/** Whether several files share one link, or each file gets a link. */
export type LinkChoice = 'one' | 'each'

const KEYS = { upload: 'dropleaf_upload_links', home: 'dropleaf_home_links' } as const

/** Returns the user's last choice on a page. */
export const readLinkChoice = (page: keyof typeof KEYS): LinkChoice =>
  readStored(KEYS[page]) === 'each' ? 'each' : 'one'

export function storeLinkChoice(page: keyof typeof KEYS, choice: LinkChoice): void {
  writeStored(KEYS[page], choice === 'one' ? null : choice)
}
