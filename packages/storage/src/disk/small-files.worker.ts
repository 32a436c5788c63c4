import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
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
import { type Journal, type JournalPlace, type NotedFile, openJournal } from './journal/journal.ts'
import type { Answer, Failure, Order, SmallFile, StoredFile, StoreOrder } from './small-files.ts'

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

/** Gives a file its name in a plain folder. @returns whether it has it: a removal may have taken the folder. */
function show({ temporary, isNew }: SmallFile, target: string, { syncs }: { syncs: boolean }): boolean {
  const folder = dirname(target)
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

const showIfPlain: typeof show = (file, target, o) => isPlain(dirname(target)) && show(file, target, o)

/** Answers with what `work` makes of it; what that leaves when it fails is removed, if it can be. */
function answer({ id, file }: StoreOrder, work: () => StoredFile): Answer {
  try {
    return { id, result: work() }
  } catch (error) {
    try {
      rmSync(file.temporary, { force: true })
    } catch {
      // The sweep does.
    }
    return { id, failure: failureOf(error) }
  }
}

/** Each to the medium by itself, if at all. */
function storeAlone(order: StoreOrder, journal: Journal | null): Answer {
  const { temporary, target, bytes, syncs } = order.file
  return answer(order, () => {
    const stats = writeNew(temporary, bytes, { syncs })
    if (target === null) return { stats, isShown: false }
    journal?.settle(target)
    return { stats, isShown: showIfPlain(order.file, target, { syncs }) }
  })
}

interface Written {
  readonly order: StoreOrder
  readonly target: string
  readonly stats: StoredFile['stats']
}

/** A file that is written goes to the medium by itself. */
function showAlone({ order, target, stats }: Written, journal: Journal): Answer {
  return answer(order, () => {
    syncNow(order.file.temporary)
    journal.settle(target)
    return { stats, isShown: showIfPlain(order.file, target, { syncs: true }) }
  })
}

/** A file that the journal keeps gets its name. Where it does not, it is not to come back by the journal. */
function showNoted({ order, target, stats, ...place }: Written & Place, journal: Journal): Answer {
  return answer(order, () => {
    let isShown = false
    try {
      isShown = isStillThere(dirname(target), place) && show(order.file, target, { syncs: false })
    } finally {
      if (!isShown) journal.settle(target)
    }
    if (!isShown) syncNow(order.file.temporary)
    return { stats, isShown }
  })
}

/** Where a file gets its name: the folder, and what has the name by then. */
type Place = Pick<NotedFile, 'folderIno' | 'replacedIno' | 'replacedMtimeNs'> & { readonly folderDev: bigint }

/**
 * Looks whether a file will get its name: what is refused is not to be noted first, since a power cut could come before it is taken
 * back.
 * @returns `null` where it will not
 */
function findPlace({ order: { file }, target }: Written): Place | null {
  try {
    const folder = dirname(target)
    const { ino: folderIno, dev: folderDev } = lstatSync(folder, { bigint: true })
    // Looked at after that: then it was this folder.
    if (!isPlain(folder)) return null
    const stats = lstatSync(target, { bigint: true, throwIfNoEntry: false })
    if (!stats) return { folderIno, folderDev, replacedIno: 0n, replacedMtimeNs: 0n }
    const { ino: replacedIno, mtimeNs: replacedMtimeNs } = stats
    return stats.isFile() && !file.isNew ? { folderIno, folderDev, replacedIno, replacedMtimeNs } : null
  } catch {
    return null
  }
}

/** A folder that has been moved since, and is reached through a link now, could as well be moved a moment later. */
function isStillThere(folder: string, { folderIno, folderDev }: Place): boolean {
  try {
    const { ino, dev } = lstatSync(folder, { bigint: true })
    return ino === folderIno && dev === folderDev
  } catch {
    return false
  }
}

/** @returns what may be noted, and the answers of those that failed. */
function writeAll(orders: readonly StoreOrder[], journal: Journal) {
  const written: Written[] = []
  const answers: Answer[] = []
  for (const order of orders) {
    const { temporary, target, bytes } = order.file
    if (target === null || bytes.length > NOTED_MAX_BYTES) {
      answers.push(storeAlone(order, journal))
      continue
    }
    const outcome = answer(order, () => {
      const stats = writeNew(temporary, bytes, { syncs: false })
      written.push({ order, target, stats })
      return { stats, isShown: false }
    })
    if ('failure' in outcome) answers.push(outcome)
  }
  return { written, answers }
}

/** Files that come together share one sync: that of the journal. */
function storeTogether(orders: readonly StoreOrder[], place: JournalPlace): Answer[] {
  const opened = journalAt(place)
  const { journal } = opened
  const { written, answers } = writeAll(orders, journal)
  const noted: Array<Written & Place> = []
  for (const one of written) {
    const found = findPlace(one)
    if (found === null) answers.push(showAlone(one, journal))
    else noted.push({ ...one, ...found })
  }
  answers.push(...noteAndShow(noted, journal))
  flushSoon(opened)
  return answers
}

function noteAndShow(written: ReadonlyArray<Written & Place>, journal: Journal): readonly Answer[] {
  if (written.length === 0) return []
  const files = written.map(({ order, ...one }) => ({ ...one, bytes: order.file.bytes }))
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
  const finish = isNoted ? showNoted : showAlone
  return written.map((one) => finish(one, journal))
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
async function flush(opened: OpenJournal): Promise<void> {
  const { place, journal } = opened
  try {
    await journal.flush()
  } catch {
    opened.quiet?.refresh()
    return
  }
  // Another one may have been opened there meanwhile.
  if (journals.get(place.folder) !== opened) return
  if (journal.isEmpty) send([{ emptied: place.folder, lastId }])
  else opened.quiet?.refresh()
}

/** @returns whether it is closed: others may have filled it meanwhile. */
async function close(folder: string): Promise<boolean> {
  const opened = journals.get(folder)
  if (!opened) return true
  // The first one may have begun before the last files came.
  await opened.journal.flush()
  await opened.journal.flush()
  if (!opened.journal.isEmpty) return false
  if (opened.quiet) clearTimeout(opened.quiet)
  journals.delete(folder)
  opened.journal.close()
  return true
}

let lastId = 0

/** Of an error only its words would arrive. */
const failureOf = (error: unknown): Failure => {
  const { code, message } = error as NodeJS.ErrnoException
  return { code, message }
}

function carryOut(order: OtherOrder): void {
  const { id, folder } = order
  const fail = (error: unknown) => send([{ id, failure: failureOf(error) }])
  if (order.kind === 'close') {
    close(folder).then((result) => send([{ id, result }]), fail)
    return
  }
  try {
    journals.get(folder)?.journal.settle(order.path)
    if (order.newPath !== null) renameSync(order.path, order.newPath)
    send([{ id, result: true }])
  } catch (error) {
    fail(error)
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

/** Whatever goes wrong, each order is answered, and the thread goes on. */
function store(orders: readonly StoreOrder[]): readonly Answer[] {
  const place = orders[0]?.file.journal ?? null
  if (!place) return orders.map((order) => storeAlone(order, null))
  try {
    return storeTogether(orders, place)
  } catch (error) {
    return orders.map(({ id }) => ({ id, failure: failureOf(error) }))
  }
}

function carryOutAll(orders: readonly Order[]): void {
  for (const step of inBatches(orders)) {
    if (!Array.isArray(step)) carryOut(step)
    else {
      send(store(step))
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
