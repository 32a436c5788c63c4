export interface Searchable {
  /** The names in all languages; the displayed name is first. */
  readonly names: readonly string[]
  /** Synonyms in any language. */
  readonly also: string
}

const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

const wordsOf = (text: string): readonly string[] => fold(text).split(/\s+/).filter(Boolean)

/** Whether a query word is Chinese. Chinese has no spaces, so a query word can consist of several words of a name. */
const isWithoutBlanks = (word: string) => /^\p{Script=Han}+$/u.test(word)

function hasLettersInOrder(word: string, name: string): boolean {
  let at = 0
  return [...word].every((letter) => {
    at = name.indexOf(letter, at) + 1
    return at > 0
  })
}

/**
 * Returns how well a name matches: 0 at its start, 1 at the start of a word, 2 anywhere else. A Chinese query word also
 * matches as a subsequence, with 2. Returns `null` for no match.
 * @param word from {@link wordsOf}
 */
function placeOf(word: string, name: string): number | null {
  const at = fold(name).indexOf(word)
  if (at === -1) return isWithoutBlanks(word) && hasLettersInOrder(word, fold(name)) ? 2 : null
  if (at === 0) return 0
  return fold(name).includes(` ${word}`) ? 1 : 2
}

const OF_OTHER_LANGUAGE = 3
const OF_FURTHER_WORDS = 6

function scoreOf(word: string, { names, also }: Searchable): number | null {
  const places = names.map((name, index) => {
    const place = placeOf(word, name)
    return place === null ? null : place + (index === 0 ? 0 : OF_OTHER_LANGUAGE)
  })
  const further = placeOf(word, also)
  if (further !== null) places.push(OF_FURTHER_WORDS)
  const found = places.filter((place) => place !== null)
  return found.length === 0 ? null : Math.min(...found)
}

/**
 * @returns the distance, where 0 is the best match; `null` if a word does not match. An empty query matches everything.
 */
export function distanceOf(query: string, item: Searchable): number | null {
  const scores = wordsOf(query).map((word) => scoreOf(word, item))
  if (scores.includes(null)) return null
  return scores.reduce<number>((sum, score) => sum + (score ?? 0), 0)
}

/** Returns the matching items, best first, in a stable order. */
export function findMatching<Item extends Searchable>(
  query: string,
  items: readonly Item[],
): readonly Item[] {
  return items
    .flatMap((item) => {
      const distance = distanceOf(query, item)
      return distance === null ? [] : [{ item, distance }]
    })
    .toSorted((a, b) => a.distance - b.distance)
    .map(({ item }) => item)
}
