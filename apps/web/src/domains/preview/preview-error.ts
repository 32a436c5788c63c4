/** What can be wrong with a file that is to be shown. Each has its words. */
export type PreviewFault =
  | 'damaged'
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

/** Whatever a reader of a format stumbles over is a fault of the file, except where the bytes did not come. */
export async function blamingFile<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read()
  } catch (error) {
    const isKnown = error instanceof Error && ['PreviewError', 'ApiError', 'AbortError'].includes(error.name)
    throw isKnown ? error : new PreviewError('damaged', error)
  }
}
