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
import { type MessagePort, parentPort, receiveMessageOnPort } from 'node:worker_threads'
import { isMissing } from './errors.ts'
import { type Journal, type JournalPlace, openJournal } from './journal/journal.ts'
import type { Answer, Order, SmallFile, StoredFile, StoreOrder } from './small-files.ts'

/** A thread that stores small files for `small-files.ts`. Every call waits for the medium here; nothing else does. */

/** Larger ones are brought to the medium at their places: they would have to be written twice. */
const NOTED_MAX_BYTES = 64 * 1024
const BATCH_MAX = 64
/** After so long without a file, the journal is brought to the medium. */
const QUIET_MS = 500

type OtherOrder = Exclude<Order, StoreOrder>

interface OpenJournal {
  readonly place: JournalPlace
  readonly journal: Journal
  quiet: NodeJS.Timeout | null
}

const journals = new Map<string, OpenJournal>()

function journalAt(place: JournalPlace): OpenJournal {
  const known = journals.get(place.folder)
  if (known) return known
  const opened: OpenJournal = { place, journal: openJournal(place), quiet: null }
  journals.set(place.folder, opened)
  return opened
}

function isPlain(path: string): boolean {
  try {
    return realpathSync.native(path) === path
  } catch {
    return false
  }
}

function syncNow(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function writeNew(path: string, bytes: Uint8Array, { syncs }: { syncs: boolean }): StoredFile['stats'] {
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

/** Gives a file its name. @returns whether it has it: a removal may have taken the folder. */
function show({ temporary, isNew }: SmallFile, target: string, { syncs }: { syncs: boolean }): boolean {
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
    if (isMissing(error)) return false
    throw error
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

/** Answers with what `work` makes of it. Of an error only its words would arrive; what it leaves is removed. */
function answer({ id, file }: StoreOrder, work: () => StoredFile): Answer {
  try {
    return { id, stored: work() }
  } catch (error) {
    rmSync(file.temporary, { force: true })
    const { code, message } = error as NodeJS.ErrnoException
    return { id, failure: { code, message } }
  }
}

/** Each to the medium by itself, if at all. */
function storeAlone(order: StoreOrder, journal: Journal | null): Answer {
  const { temporary, target, bytes, syncs } = order.file
  return answer(order, () => {
    const stats = writeNew(temporary, bytes, { syncs })
    if (target === null) return { stats, isShown: false }
    journal?.settle(target)
    return { stats, isShown: show(order.file, target, { syncs }) }
  })
}

interface Written {
  readonly order: StoreOrder
  readonly target: string
  readonly stats: StoredFile['stats']
}

/** A file that the journal keeps gets its name. Where it does not, it is not to come back by the journal. */
function showNoted({ order, target, stats }: Written, journal: Journal): Answer {
  return answer(order, () => {
    let isShown = false
    try {
      isShown = show(order.file, target, { syncs: false })
    } finally {
      if (!isShown) journal.settle(target)
    }
    if (!isShown) syncNow(order.file.temporary)
    return { stats, isShown }
  })
}

/** Files that come together share one sync: that of the journal. */
function storeTogether(orders: readonly StoreOrder[], place: JournalPlace): Answer[] {
  const opened = journalAt(place)
  const { journal } = opened
  const answers: Answer[] = []
  const written: Written[] = []
  for (const order of orders) {
    const { temporary, target, bytes } = order.file
    if (target === null || bytes.length > NOTED_MAX_BYTES) answers.push(storeAlone(order, journal))
    else {
      const failed = answer(order, () => {
        const stats = writeNew(temporary, bytes, { syncs: false })
        written.push({ order, target, stats })
        return { stats, isShown: false }
      })
      if ('failure' in failed) answers.push(failed)
    }
  }
  if (written.length > 0) answers.push(...noteAndShow(written, journal))
  flushSoon(opened)
  return answers
}

function noteAndShow(written: readonly Written[], journal: Journal): Answer[] {
  const files = written.map(({ order, target, stats }) => ({ target, stats, bytes: order.file.bytes }))
  let isNoted: boolean
  try {
    isNoted = journal.note(files)
  } catch (error) {
    return written.map(({ order }) =>
      answer(order, () => {
        throw error
      }),
    )
  }
  if (isNoted) return written.map((one) => showNoted(one, journal))
  return written.map(({ order, target, stats }) =>
    answer(order, () => {
      syncNow(order.file.temporary)
      journal.settle(target)
      return { stats, isShown: show(order.file, target, { syncs: true }) }
    }),
  )
}

/** A full part at once, the rest when it has been quiet for a while. */
function flushSoon(opened: OpenJournal): void {
  if (opened.journal.isFilling) void flush(opened)
  if (opened.quiet) opened.quiet.refresh()
  else opened.quiet = setTimeout(() => void flush(opened), QUIET_MS)
}

function send(answers: readonly Answer[]): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has none
  parentPort?.postMessage(answers)
}

/** What fails is tried again after the next files; until then the journal keeps what it has. */
async function flush({ place, journal }: OpenJournal): Promise<void> {
  try {
    await journal.flush()
  } catch {
    return
  }
  if (journal.isEmpty) send([{ emptied: place.folder, lastId }])
}

async function close(folder: string): Promise<void> {
  const opened = journals.get(folder)
  if (!opened) return
  if (opened.quiet) clearTimeout(opened.quiet)
  opened.quiet = null
  // The first one may have begun before the last files came.
  await opened.journal.flush()
  await opened.journal.flush()
  if (!opened.journal.isEmpty) return
  journals.delete(folder)
  opened.journal.close()
}

let lastId = 0

function carryOut(order: OtherOrder): void {
  const { id } = order
  const failed = ({ code, message }: NodeJS.ErrnoException) => send([{ id, failure: { code, message } }])
  if (order.kind === 'close') {
    close(order.folder).then(() => send([{ id }]), failed)
    return
  }
  try {
    journals.get(order.folder)?.journal.settle(order.path, order.movedTo)
    send([{ id }])
  } catch (error) {
    failed(error as NodeJS.ErrnoException)
  }
}

/** Orders in their turn; files that wait for the same journal go together. */
function* inBatches(orders: readonly Order[]): Generator<OtherOrder | StoreOrder[]> {
  let batch: StoreOrder[] = []
  for (const order of orders) {
    const isOfBatch = order.kind === 'store' && order.file.journal?.folder === batch[0]?.file.journal?.folder
    if (batch.length > 0 && !isOfBatch) {
      yield batch
      batch = []
    }
    if (order.kind === 'store') batch.push(order)
    else yield order
  }
  if (batch.length > 0) yield batch
}

function carryOutAll(orders: readonly Order[]): void {
  for (const step of inBatches(orders)) {
    if (!Array.isArray(step)) carryOut(step)
    else {
      const place = step[0]?.file.journal ?? null
      send(place ? storeTogether(step, place) : step.map((order) => storeAlone(order, null)))
    }
  }
}

function waitFor(port: MessagePort): void {
  port.on('message', (first: Order) => {
    const orders = [first]
    for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port)) {
      orders.push(next.message as Order)
      if (orders.length === BATCH_MAX) break
    }
    lastId = orders.at(-1)?.id ?? lastId
    carryOutAll(orders)
  })
}

if (parentPort) waitFor(parentPort)
