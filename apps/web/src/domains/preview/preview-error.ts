/** Faults of a file; the interface has a text for each. */
export type PreviewFault =
  | 'damaged'
  /** The stored bytes are not those that the sender encrypted. */
  | 'tampered'
  | 'too_large'
  | 'unsupported'
  | 'encrypted'
  | 'image'
  | 'media_format'
  | 'media_damaged'
  | 'playlist'

export class PreviewError extends Error {
  override readonly name = 'PreviewError'
  readonly fault: PreviewFault

  constructor(fault: PreviewFault, cause?: unknown) {
    super(`The file cannot be shown: ${fault}.`, { cause })
    this.fault = fault
  }
}

/**
 * Runs a parser and reports any of its errors as a fault of the file. Errors of loading the file are passed on
 * unchanged.
 */
export async function blamingFile<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    const isKnown = error instanceof Error && ['PreviewError', 'ApiError', 'AbortError'].includes(error.name)
    throw isKnown ? error : new PreviewError('damaged', error)
  }
}
