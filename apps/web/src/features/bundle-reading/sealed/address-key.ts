/**
 * Whether the fragment of an address could be the key of an encrypted bundle. Ids of headings begin with
 * `user-content-`, which a random key does not.
 */
export const mayBeKey = (fragment: string): boolean => /^#?(?!user-content-)[\w-]{43}$/.test(fragment)
