/** Whether the fragment of an address could be the key of an encrypted bundle, rather than the id of a heading. */
export const mayBeKey = (fragment: string): boolean => /^#?[\w-]{43}$/.test(fragment)
