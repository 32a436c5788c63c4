/** The fields of a pointer event that tell who made it. */
type PointerFacts = Pick<PointerEvent, 'pointerType' | 'width' | 'height'>

/**
 * Whether a screen reader made a pointer event, so that its click counts and not its length. Screen readers of phones
 * imitate a mouse without an extent, or name no pointer at all. A finger or a pen may have no extent either, because
 * many touch screens do not measure it: it must hold the button.
 */
export const isAssistivePointer = ({ pointerType, width, height }: PointerFacts): boolean =>
  pointerType === '' || (pointerType === 'mouse' && width === 0 && height === 0)

interface ClickFacts {
  readonly detail: number
  /** Absent in browsers whose clicks are no pointer events. */
  readonly pointerType?: string | undefined
}

/**
 * Whether a click came from a key, a switch or a screen reader.
 *
 * @param wasPressed whether a pointer has pressed the button since the last click
 */
export function isAssistiveClick({ detail, pointerType = '' }: ClickFacts, wasPressed: boolean): boolean {
  if (pointerType !== '') return false
  return detail === 0 || !wasPressed
}
