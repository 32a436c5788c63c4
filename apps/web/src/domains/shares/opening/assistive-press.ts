/** The fields of a pointer event that show which kind of device sent it. */
type PointerFacts = Pick<PointerEvent, 'pointerType' | 'width' | 'height'>

/**
 * Whether a screen reader sent a pointer event. A click after such an event opens the share without holding. Screen
 * readers on phones send a mouse pointer without a size, or no pointer type. A finger or pen must hold the button
 * even if it has no size, because many touch screens do not measure the size.
 */
export const isAssistivePointer = ({ pointerType, width, height }: PointerFacts): boolean =>
  pointerType === '' || (pointerType === 'mouse' && width === 0 && height === 0)

interface ClickFacts {
  readonly detail: number
  /** Absent in browsers whose click events are not pointer events. */
  readonly pointerType?: string | undefined
}

/**
 * Whether a click was caused by a key, a switch or a screen reader.
 *
 * @param wasPressed whether a pointer has pressed the button since the last click
 */
export function isAssistiveClick({ detail, pointerType = '' }: ClickFacts, wasPressed: boolean): boolean {
  if (pointerType !== '') return false
  return detail === 0 || !wasPressed
}
