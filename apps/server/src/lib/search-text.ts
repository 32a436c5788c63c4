import { SHARE_SEARCHED_CHARACTERS } from '@dropleaf/contract'

/** The search text of a share, in lower case, because neither engine folds every script. */
export const searchText = (remark: string | null, nameOrText: string): string =>
  `${remark ?? ''}\n${nameOrText.slice(0, SHARE_SEARCHED_CHARACTERS)}`.toLowerCase()

/** Characters that only JavaScript folds reliably: those beyond ASCII with a lower-case form. */
const FOLDED_BY_US = /(?![A-Z])\p{Changes_When_Lowercased}/u

/**
 * Search text of a text share, whose content is in the same row: empty if the database can fold and search that. A second copy
 * of a short text would double its row and its writes.
 */
export function pasteSearchText(remark: string | null, content: string): string {
  const isSearchedItself =
    content.length <= SHARE_SEARCHED_CHARACTERS &&
    !FOLDED_BY_US.test(content) &&
    !(remark !== null && FOLDED_BY_US.test(remark))
  return isSearchedItself ? '' : searchText(remark, content)
}
