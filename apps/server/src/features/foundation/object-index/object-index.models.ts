/** Maximum number of UTF-16 units of a name that are compared. PostgreSQL limits an index entry to 2,700 bytes. */
const FOLDED_MAX_UNITS = 500
const SORTED_MAX_UNITS = 300

/** Most names are ASCII, which needs no Unicode normalization. */
// eslint-disable-next-line no-control-regex -- the expression must match all of ASCII
const PLAIN = /^[\u0000-\u007f]*$/

/** Folds a name or query, so that comparisons ignore case and Unicode compatibility forms. */
export const foldName = (name: string): string =>
  PLAIN.test(name)
    ? name.toLowerCase().slice(0, FOLDED_MAX_UNITS)
    : name.normalize('NFKC').toLowerCase().slice(0, FOLDED_MAX_UNITS).toWellFormed()

/** Separates the natural-sort form of a name from the name itself; sorts before every character of a name. */
const TIE = '\u0001'
const LENGTH_CODE_BASE = 0x2f
const LONGEST_NUMBER = 40

/** Prefixes each number with a code for its length, so that `img2` sorts before `img10`. */
function naturalForm(name: string): string {
  return foldName(name).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return String.fromCharCode(LENGTH_CODE_BASE + Math.min(number.length, LONGEST_NUMBER)) + number
  })
}

/**
 * Returns the sort key of a name within its folder: case-insensitive, with numbers by value. Sort keys are compared as
 * UTF-8 bytes (`compareKeys`). A sort key ends in the name itself, which makes it unique.
 */
export function sortKeyOf(name: string): string {
  const form = naturalForm(name)
  const natural = form.length <= SORTED_MAX_UNITS ? form : form.slice(0, SORTED_MAX_UNITS).toWellFormed()
  return natural === name ? natural : natural + TIE + name
}

/** Returns the distinct substrings of two and three UTF-16 units of a folded name. */
export function gramsOf(folded: string): string[] {
  const grams = new Set<string>()
  for (let start = 0; start + 1 < folded.length; start += 1) {
    grams.add(folded.slice(start, start + 2))
    if (start + 2 < folded.length) grams.add(folded.slice(start, start + 3))
  }
  return [...grams]
}

/** Returns the longest grams that cover a folded query of at least two units. */
export function queryGramsOf(folded: string): string[] {
  return folded.length === 2 ? [folded] : gramsOf(folded).filter((gram) => gram.length === 3)
}

/** Returns the parent folder of a file's or folder's key: empty, or with a trailing slash. */
export function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/', key.length - 2) + 1)
}

/** Returns the last segment of a key, without a trailing slash. */
export function nameOf(key: string): string {
  const name = key.slice(folderOf(key).length)
  return name.endsWith('/') ? name.slice(0, -1) : name
}

/**
 * Returns the parent folders of a key, starting with the root. For a folder's key, the folder itself is not included.
 */
export function foldersAround(key: string): string[] {
  const folders = ['']
  for (let cut = key.indexOf('/') + 1; cut > 0 && cut < key.length; cut = key.indexOf('/', cut) + 1)
    folders.push(key.slice(0, cut))
  return folders
}

/**
 * Returns the first key that sorts after everything below a folder; `null` for the root. `0` is the character after
 * `/`.
 */
export const endOfFolder = (folder: string): string | null =>
  folder === '' ? null : `${folder.slice(0, -1)}0`
