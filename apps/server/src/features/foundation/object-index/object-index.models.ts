/** Limit of compared UTF-16 units of a name; an index entry must be below 2,700 bytes on PostgreSQL. */
const FOLDED_MAX_UNITS = 500
const SORTED_MAX_UNITS = 300

/** ASCII names are in compatibility form already: most are. */
// eslint-disable-next-line no-control-regex -- all of ASCII is meant
const PLAIN = /^[\u0000-\u007f]*$/

/** The form in which names and queries are compared: compatibility forms and case are ignored. */
export const foldName = (name: string): string =>
  PLAIN.test(name)
    ? name.toLowerCase().slice(0, FOLDED_MAX_UNITS)
    : name.normalize('NFKC').toLowerCase().slice(0, FOLDED_MAX_UNITS).toWellFormed()

/** Separates the natural form of a name from the name; sorts before every character of a name. */
const TIE = '\u0001'
const LENGTH_CODE_BASE = 0x2f
const LONGEST_NUMBER = 40

/** Prefixes numbers with their number of digits: `img2` sorts before `img10`. */
function naturalForm(name: string): string {
  return foldName(name).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return String.fromCharCode(LENGTH_CODE_BASE + Math.min(number.length, LONGEST_NUMBER)) + number
  })
}

/**
 * Sort key of a name within its folder, compared as UTF-8 bytes (`compareKeys`): case-insensitive, numbers by value; the name
 * itself breaks ties, so sort keys are unique.
 */
export function sortKeyOf(name: string): string {
  const form = naturalForm(name)
  const natural = form.length <= SORTED_MAX_UNITS ? form : form.slice(0, SORTED_MAX_UNITS).toWellFormed()
  return natural === name ? natural : natural + TIE + name
}

/** The distinct substrings of two and three UTF-16 units of a folded name. */
export function gramsOf(folded: string): string[] {
  const grams = new Set<string>()
  for (let start = 0; start + 1 < folded.length; start += 1) {
    grams.add(folded.slice(start, start + 2))
    if (start + 2 < folded.length) grams.add(folded.slice(start, start + 3))
  }
  return [...grams]
}

/** The longest grams that cover a folded query of at least two units. */
export function queryGramsOf(folded: string): string[] {
  return folded.length === 2 ? [folded] : gramsOf(folded).filter((gram) => gram.length === 3)
}

/** The parent folder of a key: empty, or with a trailing slash. Also for a folder's key. */
export function folderOf(key: string): string {
  return key.slice(0, key.lastIndexOf('/', key.length - 2) + 1)
}

/** The last segment of a key, without a slash. */
export function nameOf(key: string): string {
  const name = key.slice(folderOf(key).length)
  return name.endsWith('/') ? name.slice(0, -1) : name
}

/** The parent folders of a key, the root first; a folder itself is not included. */
export function foldersAround(key: string): string[] {
  const folders = ['']
  for (let cut = key.indexOf('/') + 1; cut > 0 && cut < key.length; cut = key.indexOf('/', cut) + 1)
    folders.push(key.slice(0, cut))
  return folders
}

/** The first key that sorts after everything below a folder; `null` for the root. A `0` follows the slash. */
export const endOfFolder = (folder: string): string | null =>
  folder === '' ? null : `${folder.slice(0, -1)}0`
