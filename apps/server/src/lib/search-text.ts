import { SHARE_SEARCHED_CHARACTERS } from '@dropleaf/contract'

/** What is kept of a share for searching: in small letters, since neither engine folds every script by itself. */
export const searchText = (remark: string | null, nameOrText: string): string =>
  `${remark ?? ''}\n${nameOrText.slice(0, SHARE_SEARCHED_CHARACTERS)}`.toLowerCase()
