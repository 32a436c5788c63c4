/** Why a file was not saved. Screens have a text for each code. */
export type SaveFault =
  /** This browser has no way to save a file of this size. */
  | 'no_way'
  /** The browser stopped taking bytes before the end. */
  | 'ended_early'

export class SaveError extends Error {
  override readonly name = 'SaveError'
  readonly fault: SaveFault

  constructor(fault: SaveFault) {
    super(fault)
    this.fault = fault
  }
}
