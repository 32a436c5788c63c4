import type { Addresses, Arrived, PartPlan, PartTag } from './transport.ts'

export type PartState = 'pending' | 'uploading' | 'completed' | 'failed'

export interface Part {
  readonly partNumber: number
  readonly firstByte: number
  readonly endByte: number
  readonly state: PartState
  readonly sentBytes: number
  readonly etag: string | null
  /** Number of failed attempts since the upload was started or resumed. */
  readonly failures: number
}

/** Returns whether the parts cover the file exactly. */
function covers({ partSizeBytes, partCount }: PartPlan, sizeBytes: number): boolean {
  const isWhole = Number.isSafeInteger(partSizeBytes) && Number.isSafeInteger(partCount)
  if (!isWhole || partCount < 1) return false
  if (partCount === 1) return partSizeBytes >= sizeBytes
  return (partCount - 1) * partSizeBytes < sizeBytes && partCount * partSizeBytes >= sizeBytes
}

/** Tracks the parts of one upload and their progress. */
export class Parts {
  #parts: Part[] = []
  #addresses = new Map<number, string>()
  #sentBytes = 0

  /**
   * Divides the file into parts.
   * @returns whether the plan fits the file.
   */
  plan(plan: PartPlan, sizeBytes: number): boolean {
    if (!covers(plan, sizeBytes)) return false
    this.#parts = Array.from({ length: plan.partCount }, (_, index) => ({
      partNumber: index + 1,
      firstByte: index * plan.partSizeBytes,
      endByte: Math.min(sizeBytes, (index + 1) * plan.partSizeBytes),
      state: 'pending',
      sentBytes: 0,
      etag: null,
      failures: 0,
    }))
    this.#sentBytes = 0
    return true
  }

  /** Applies the server's list of received parts. Until the upload is complete, a part with a wrong size is missing. */
  adopt({ parts, isCompleted }: Pick<Arrived, 'parts' | 'isCompleted'>): void {
    const tags = new Map(parts.map((part) => [part.partNumber, part]))
    for (const { partNumber, firstByte, endByte } of this.#parts) {
      const found = tags.get(partNumber)
      const isThere = isCompleted || found?.sizeBytes === endByte - firstByte
      if (isThere) this.complete(partNumber, found?.etag ?? null)
    }
  }

  addAddresses(addresses: Addresses): void {
    for (const [partNumber, address] of addresses) this.#addresses.set(partNumber, address)
  }

  addressOf(partNumber: number): string | null {
    return this.#addresses.get(partNumber) ?? null
  }

  get(partNumber: number): Part {
    const part = this.#parts[partNumber - 1]
    if (!part) throw new Error(`There is no part ${partNumber}.`)
    return part
  }

  #change(partNumber: number, fields: Partial<Part>): void {
    const before = this.get(partNumber)
    const after = { ...before, ...fields }
    this.#parts[partNumber - 1] = after
    this.#sentBytes += after.sentBytes - before.sentBytes
  }

  start(partNumber: number): void {
    this.#change(partNumber, { state: 'uploading', sentBytes: 0 })
  }

  progress(partNumber: number, sentBytes: number): void {
    const { firstByte, endByte } = this.get(partNumber)
    this.#change(partNumber, { sentBytes: Math.max(0, Math.min(sentBytes, endByte - firstByte)) })
  }

  complete(partNumber: number, etag: string | null): void {
    const { firstByte, endByte } = this.get(partNumber)
    this.#change(partNumber, { state: 'completed', sentBytes: endByte - firstByte, etag })
  }

  /** @param isLast whether the part is not retried. */
  fail(partNumber: number, { isLast }: { isLast: boolean }): void {
    const { failures } = this.get(partNumber)
    this.#change(partNumber, {
      state: isLast ? 'failed' : 'pending',
      sentBytes: 0,
      failures: failures + 1,
    })
  }

  /** Resets parts that are being sent, so that they are sent again. */
  interrupt(): void {
    for (const { partNumber, state } of this.#parts) {
      if (state === 'uploading') this.#change(partNumber, { state: 'pending', sentBytes: 0 })
    }
  }

  /** Resets every incomplete part and its number of failures. Call before resuming. */
  forgive(): void {
    for (const { partNumber, state } of this.#parts) {
      if (state !== 'completed') this.#change(partNumber, { state: 'pending', sentBytes: 0, failures: 0 })
    }
  }

  clear(): void {
    this.#parts = []
    this.#addresses.clear()
    this.#sentBytes = 0
  }

  get sentBytes(): number {
    return this.#sentBytes
  }

  get list(): readonly Part[] {
    return this.#parts
  }

  missing(): number[] {
    return this.#parts.filter(({ state }) => state !== 'completed').map(({ partNumber }) => partNumber)
  }

  tags(): PartTag[] {
    return this.#parts.map(({ partNumber, etag }) => ({ partNumber, etag }))
  }
}
