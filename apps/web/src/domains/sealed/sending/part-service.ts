import {
  type Bytes,
  type EncryptingSource,
  type EncryptingState,
  joinReaders,
  type PartAttempt,
  type PlainReader,
  resumeEncryptingSource,
  SealError,
  type SealErrorCode,
  type Sealed,
} from '@dropleaf/seal'

/** A request from the page to a worker that encrypts. */
export type PartRequest =
  | {
      readonly kind: 'open'
      readonly id: string
      readonly files: readonly Blob[]
      readonly state: EncryptingState
    }
  | {
      readonly kind: 'slice'
      readonly id: string
      readonly job: number
      readonly firstByte: number
      readonly endByte: number
    }
  | { readonly kind: 'close'; readonly id: string }

export type PartReply =
  | { readonly job: number; readonly bytes: Sealed<Bytes>; readonly attempts: readonly PartAttempt[] }
  | { readonly job: number; readonly code: SealErrorCode | null }

/** Reads a file that the user has chosen. */
export const fileReader = (file: Blob): PlainReader => ({
  sizeBytes: file.size,
  async read({ firstByte, endByte }) {
    try {
      return new Uint8Array(await file.slice(firstByte, endByte).arrayBuffer())
    } catch (error) {
      throw new SealError('source.unreadable', { cause: error })
    }
  },
})

type Opening = Extract<PartRequest, { kind: 'open' }>
type Slicing = Extract<PartRequest, { kind: 'slice' }>

/**
 * Encrypts the parts of one object one after the other, so that each reply contains only the attempts of its part.
 */
function createObjectService({ files, state }: Opening) {
  let attempts: PartAttempt[] = []
  let source: EncryptingSource | null = null
  let last: Promise<unknown> = Promise.resolve()
  const slice = async (firstByte: number, endByte: number) => {
    attempts = []
    source ??= resumeEncryptingSource({
      plain: joinReaders(files.map(fileReader)),
      state,
      onAttempt: (attempt) => void attempts.push(attempt),
    })
    const bytes = await source.slice(firstByte, endByte)
    return { bytes, attempts }
  }
  return (firstByte: number, endByte: number): ReturnType<typeof slice> => {
    const next = last.then(() => slice(firstByte, endByte))
    last = next.catch(() => undefined)
    return next
  }
}

/** Encrypts parts of several objects. Retains no encrypted bytes. */
export function createPartService(reply: (reply: PartReply, transfer: Transferable[]) => void) {
  const objects = new Map<string, ReturnType<typeof createObjectService>>()
  const slice = async ({ id, job, firstByte, endByte }: Slicing) => {
    try {
      const object = objects.get(id)
      if (!object) throw new SealError('state.invalid')
      const { bytes, attempts } = await object(firstByte, endByte)
      reply({ job, bytes, attempts }, [bytes.buffer])
    } catch (error) {
      reply({ job, code: error instanceof SealError ? error.code : null }, [])
    }
  }
  return (request: PartRequest): void => {
    if (request.kind === 'open') objects.set(request.id, createObjectService(request))
    else if (request.kind === 'close') objects.delete(request.id)
    else void slice(request)
  }
}
