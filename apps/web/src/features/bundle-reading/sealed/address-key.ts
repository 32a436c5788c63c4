/** Whether the fragment of an address could be the key of an encrypted bundle, rather than a heading of a text. */
export const mayBeKey = (fragment: string): boolean => /^#?[\w-]{43}$/.test(fragment)
