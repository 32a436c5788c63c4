import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
  writevSync,
} from 'node:fs'
import {
  decodeHeader,
  decodeRecords,
  encodeHeader,
  encodeRecord,
  HEADER_BYTES,
  type JournalRecord,
} from './records.ts'

/** It grows by so much at a time: to write over what is there already is all that a sync has to bring to the medium then. */
const GROWTH_BYTES = 1024 * 1024
const ZEROS = Buffer.alloc(GROWTH_BYTES)

/** One of the files that a journal is written to, in turn. Every call waits for the medium. */
export interface Segment {
  /** The files that it holds: paths below the root of the storage, and inodes. Those that were taken back are not among them. */
  readonly files: Map<string, bigint>
  /** Another one whenever it was emptied. */
  readonly generation: bigint
  readonly isEmpty: boolean
  /** Whether what is on the medium is what it says: not after something failed, until it is emptied. */
  readonly isSound: boolean
  /** Whether that many bytes more still fit, here and on the disk. */
  hasRoom(bytes: number): boolean
  /** Puts records that have room on the medium. @throws system errors; what was written then is not to be relied on. */
  append(records: readonly JournalRecord[]): void
  /** Forgets all of them, on the medium too. */
  empty(): void
  /** Whether the file is still where it was made. */
  isInPlace(): boolean
  /** Removes its file, if that is still in its place. */
  remove(): void
  close(): void
}

/** More than the longest record. */
const LOOK_BYTES = 128 * 1024

/** What somebody has noted is not ours to drop: a disk that went away and came back has it for the next start. */
function requireNoRecords(descriptor: number): void {
  const start = Buffer.alloc(LOOK_BYTES)
  const { length } = start.subarray(0, readSync(descriptor, start, 0, LOOK_BYTES, 0))
  const header = decodeHeader(start.subarray(0, length))
  if (header && decodeRecords(start.subarray(0, length), header).length > 0)
    throw new Error('The journal has records that nobody has read.')
}

/** @throws system errors; {Error} when there is one with records */
export function createSegment(file: string, { maxBytes }: { maxBytes: number }): Segment {
  const files = new Map<string, bigint>()
  const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
  const { ino, dev } = fstatSync(descriptor)
  let generation = 0n
  let isSound = true
  let usedBytes = HEADER_BYTES
  let allocatedBytes = 0

  function empty() {
    // What fails half-way could be either: nothing more is written to it.
    isSound = false
    generation = randomBytes(8).readBigUInt64LE()
    writeSync(descriptor, encodeHeader({ generation }), 0, HEADER_BYTES, 0)
    fdatasyncSync(descriptor)
    isSound = true
    usedBytes = HEADER_BYTES
    files.clear()
  }

  function growTo(bytes: number) {
    while (allocatedBytes < bytes)
      allocatedBytes += writeSync(descriptor, ZEROS, 0, GROWTH_BYTES, allocatedBytes)
  }

  function isInPlace() {
    const there = statSync(file, { throwIfNoEntry: false })
    return there?.ino === ino && there.dev === dev
  }

  let isOurs = false
  try {
    requireNoRecords(descriptor)
    isOurs = true
    growTo(GROWTH_BYTES)
    empty()
  } catch (error) {
    closeSync(descriptor)
    if (isOurs) rmSync(file, { force: true })
    throw error
  }
  return {
    files,
    get generation() {
      return generation
    },
    get isEmpty() {
      return isSound && usedBytes === HEADER_BYTES
    },
    get isSound() {
      return isSound
    },
    hasRoom(bytes) {
      if (!isSound || usedBytes + bytes > maxBytes) return false
      try {
        growTo(usedBytes + bytes)
        return true
      } catch {
        // A full disk may still have room for the files themselves.
        return false
      }
    },
    append(records) {
      const pieces = records.flatMap((record) => encodeRecord(record, generation))
      const sizeBytes = pieces.reduce((total, piece) => total + piece.length, 0)
      // What fails half-way may be on the medium, though nobody is told so.
      isSound = false
      if (writevSync(descriptor, pieces, usedBytes) !== sizeBytes)
        throw new Error('The journal took a part of what it was given.')
      fdatasyncSync(descriptor)
      isSound = true
      usedBytes += sizeBytes
    },
    empty,
    isInPlace,
    remove() {
      if (isInPlace()) rmSync(file, { force: true })
    },
    close: () => closeSync(descriptor),
  }
}
