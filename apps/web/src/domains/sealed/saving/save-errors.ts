/** Why a file was not saved. The interface has a text for each code. */
export type SaveFault =
  /** This browser has no way to save a file of this size. */
  | 'no_way'
  /** The browser stopped accepting bytes before the end. */
  | 'ended_early'
  /** The disk is full, or this browser has used all the space that it is allowed. */
  | 'full'
  /** Another tab, or an earlier click, is saving the same file. */
  | 'in_use'

export class SaveError extends Error {
  override readonly name = 'SaveError'
  readonly fault: SaveFault

  constructor(fault: SaveFault) {
    super(fault)
    this.fault = fault
  }
}
