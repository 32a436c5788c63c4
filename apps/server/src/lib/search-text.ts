import { SHARE_SEARCHED_CHARACTERS } from '@dropleaf/contract'

/** What is kept of a share for searching: in small letters, since neither engine folds every script by itself. */
export const searchText = (remark: string | null, nameOrText: string): string =>
  `${remark ?? ''}\n${nameOrText.slice(0, SHARE_SEARCHED_CHARACTERS)}`.toLowerCase()

/** Letters that only JavaScript is sure to make small: those beyond ASCII that have a small form. */
const FOLDED_BY_US = /(?![A-Z])\p{Changes_When_Lowercased}/u

/**
 * Search text of a text share, which has its words in its own row: empty if the database can fold and search those. A
 * second copy of a short text would double its row and its writes.
 */
export function pasteSearchText(remark: string | null, content: string): string {
  const isSearchedItself =
    content.length <= SHARE_SEARCHED_CHARACTERS &&
    !FOLDED_BY_US.test(content) &&
    !(remark !== null && FOLDED_BY_US.test(remark))
  return isSearchedItself ? '' : searchText(remark, content)
}
