import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, sep } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { isMissing } from './errors.ts'
import type { Answer, Order, SmallFile, StoredFile } from './small-files.ts'

/** A thread that stores small files for `small-files.ts`. Every call waits for the medium here; nothing else does. */

function isPlain(path: string): boolean {
  try {
    return realpathSync.native(path) === path
  } catch {
    return false
  }
}

function writeNew(path: string, { bytes, syncs }: SmallFile): StoredFile['stats'] {
  const descriptor = openSync(path, 'wx')
  try {
    for (let written = 0; written < bytes.length;) written += writeSync(descriptor, bytes, written)
    if (syncs) fsyncSync(descriptor)
    const { ino, size, mtimeNs } = fstatSync(descriptor, { bigint: true })
    return { ino, size, mtimeNs }
  } finally {
    closeSync(descriptor)
  }
}

function show({ temporary, isNew, syncs }: SmallFile, target: string): boolean {
  const folder = dirname(target)
  if (!isPlain(folder)) return false
  // Its names are put on the medium, whatever it is called by then.
  let descriptor: number | null = null
  try {
    if (syncs && sep !== '\\') descriptor = openSync(folder, 'r')
    if (isNew) linkSync(temporary, target)
    else renameSync(temporary, target)
    if (descriptor !== null) fsyncSync(descriptor)
    if (isNew) unlinkSync(temporary)
    return true
  } catch (error) {
    // A removal took the folder meanwhile.
    if (isMissing(error)) return false
    throw error
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

function store(file: SmallFile): StoredFile {
  const { temporary, target } = file
  try {
    const stats = writeNew(temporary, file)
    return { stats, isShown: target !== null && show(file, target) }
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function carryOut({ id, file }: Order): Answer {
  try {
    return { id, stored: store(file) }
  } catch (error) {
    // Of an error only its words would arrive.
    const { code, message } = error as NodeJS.ErrnoException
    return { id, failure: { code, message } }
  }
}

parentPort?.on('message', (order: Order) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort?.postMessage(carryOut(order))
})
