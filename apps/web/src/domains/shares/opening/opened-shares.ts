import type { SharePlace } from './device.ts'

/**
 * Shares that this page has opened after confirmation, as kind and slug. The raw links of these shares do not return
 * the contents.
 */
const opened = new Set<string>()

const keyOf = ({ kind, slug }: SharePlace) => `${kind}/${slug}`

export const noteAsked = (place: SharePlace): void => void opened.add(keyOf(place))

export const wasAsked = (place: SharePlace): boolean => opened.has(keyOf(place))
