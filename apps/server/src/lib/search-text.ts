import { SHARE_SEARCHED_CHARACTERS } from '@dropleaf/contract'

/** Returns the search text of a share, in lower case, because neither database engine lowercases every script. */
export const searchText = (remark: string | null, nameOrText: string): string =>
  `${remark ?? ''}\n${nameOrText.slice(0, SHARE_SEARCHED_CHARACTERS)}`.toLowerCase()

/** Matches characters that only JavaScript lowercases reliably: characters beyond ASCII that have a lower-case form. */
const FOLDED_BY_US = /(?![A-Z])\p{Changes_When_Lowercased}/u

/**
 * Returns the search text of a text share. It is empty if the database can lowercase and search the content itself. A
 * second copy of a short text would double its row and its writes.
 */
export function pasteSearchText(remark: string | null, content: string): string {
  const isSearchedItself =
    content.length <= SHARE_SEARCHED_CHARACTERS &&
    !FOLDED_BY_US.test(content) &&
    !(remark !== null && FOLDED_BY_US.test(remark))
  return isSearchedItself ? '' : searchText(remark, content)
}
