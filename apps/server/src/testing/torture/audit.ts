import { setTimeout as sleep } from 'node:timers/promises'
import type { ObjectStat, StorageDriver } from '@dropleaf/storage'
import type { AppContext } from '../../context.ts'
import { eachOf } from '../../lib/concurrency.ts'
import { isInSharesFolder } from '../../features/foundation/share-objects/share-keys.models.ts'
import { crawl } from '../../features/foundation/object-index/crawl.usecases.ts'
import { getConfig } from '../../features/foundation/storage-configs/storage-configs.usecases.ts'
import { auditBundles } from './bundle-audit.ts'
import { hashOfBundle } from './bundles.ts'
import type { Client } from './client.ts'
import { type Ledger, settle, type State } from './ledger.ts'
import { sha256 } from './random.ts'
import { hashOfText } from './shares.ts'
import type { TortureStorage } from './worker.ts'

const AT_ONCE = 6
const TASKS_MS = 90_000

/** Waits for the tasks that the server resumed after its start. */
async function waitForTasks(client: Client, ledger: Ledger): Promise<void> {
  const deadlineMs = Date.now() + TASKS_MS
  for (;;) {
    const { data } = await client.call('GET', '/tasks?state=pending,running')
    if (data.tasks.length === 0) return
    if (Date.now() > deadlineMs) {
      ledger.faults.push(`tasks did not end: ${JSON.stringify(data.tasks).slice(0, 500)}`)
      return
    }
    await sleep(200)
  }
}

async function stateOf(client: Client, path: string, hash: (bytes: Buffer, data: unknown) => string) {
  const answer = await client.call('GET', path, { allowed: [404] })
  return answer.status === 404 ? null : hash(answer.bytes, answer.data)
}

/** Returns the names of the files in a folder, or `null` if the folder does not exist. */
async function listed(client: Client, path: string): Promise<Set<string> | null> {
  const answer = await client.call('GET', `/fs/list?path=${path}/`, { allowed: [404] })
  if (answer.status === 404) return null
  const items = answer.data.items as Array<{ name: string; isDirectory: boolean }>
  return new Set(items.filter(({ isDirectory }) => !isDirectory).map(({ name }) => name))
}

async function auditFiles(client: Client, ledger: Ledger): Promise<void> {
  const paths = [...ledger.files.keys()]
  const parents = new Set(paths.map((path) => path.slice(0, path.lastIndexOf('/'))))
  const shown = new Map<string, Set<string> | null>()
  await eachOf(new Set([...parents, ...ledger.folders]), AT_ONCE, async (folder) => {
    const names = await listed(client, folder)
    shown.set(folder, names)
    if (names === null && ledger.folders.has(folder)) ledger.faults.push(`folder ${folder} is gone`)
  })
  await eachOf(paths, AT_ONCE, async (path) => {
    const actual = await stateOf(client, `/fs/download?path=${path}`, (bytes) => sha256(bytes))
    settle(ledger, { kind: 'file', states: ledger.files, name: path, actual })
    const cut = path.lastIndexOf('/')
    const isShown = shown.get(path.slice(0, cut))?.has(path.slice(cut + 1)) ?? false
    if (isShown !== (actual !== null))
      ledger.faults.push(`file ${path}: ${isShown ? 'listed' : 'not listed'}, which is not so`)
  })
  for (const [folder, names] of shown) {
    for (const name of names ?? [])
      if (!ledger.files.has(`${folder}/${name}`))
        ledger.faults.push(`file ${folder}/${name}: nobody put it there`)
  }
  for (const { hash, paths: places } of ledger.moves) {
    if (places.some((path) => ledger.files.get(path)?.has(hash))) continue
    ledger.faults.push(`move from ${places.join(' to ')}: the bytes are at neither`)
    ledger.bytesLost += ledger.sizes.get(hash) ?? 0
  }
  ledger.moves = []
}

/** Compares the server's data with the acknowledged changes. No other client may call the server meanwhile. */
export async function auditServer(client: Client, ledger: Ledger): Promise<void> {
  await waitForTasks(client, ledger)
  const textOf = (_bytes: Buffer, data: unknown) => hashOfText((data as { content: string }).content)
  await eachOf([...ledger.texts.keys()], AT_ONCE, async (name) => {
    const actual: State = await stateOf(client, `/admin/pastes/${name}`, textOf)
    settle(ledger, { kind: 'text', states: ledger.texts, name, actual })
  })
  await eachOf([...ledger.shares.keys()], AT_ONCE, async (name) => {
    const actual = await stateOf(client, `/file-download/${name}`, (bytes) => sha256(bytes))
    settle(ledger, { kind: 'share', states: ledger.shares, name, actual })
  })
  await eachOf([...ledger.bundles.keys()], AT_ONCE, async (name) => {
    const actual = await hashOfBundle(client, name)
    settle(ledger, { kind: 'bundle', states: ledger.bundles, name, actual })
  })
  await auditFiles(client, ledger)
}

/** Number and size of objects and rows that nothing refers to, or that no process continues. */
export interface Leftovers {
  readonly objects: number
  readonly objectBytes: number
  /** Number of rows. Drafts of bundles, and objects that no stored revision uses, are included. */
  readonly rows: number
  readonly removals: number
  readonly parts: number
  readonly uploads: number
  readonly reservations: number
}

async function allObjects(driver: StorageDriver): Promise<Map<string, ObjectStat>> {
  const found = new Map<string, ObjectStat>()
  let cursor: string | undefined
  do {
    const page = await driver.list({ prefix: '', limit: 1000, cursor })
    for (const object of page.objects) if (!object.key.endsWith('/')) found.set(object.key, object)
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found
}

const countOf = async (rows: Promise<readonly unknown[]>): Promise<number> => (await rows).length

function auditViews(ledger: Ledger, views: ReadonlyMap<string, number>): void {
  for (const [slug, { reads, open, limit }] of ledger.counted) {
    const counted = views.get(slug)
    if (counted === undefined) ledger.faults.push(`text ${slug} of ${limit} views is gone`)
    else if (counted < reads || counted > reads + open || counted > limit)
      ledger.faults.push(`text ${slug}: ${counted} views of ${reads} reads and ${open} whose answer was lost`)
  }
}

/** Returns the keys and sizes in the index of a storage. */
async function indexed(ctx: AppContext, configId: string): Promise<Map<string, number>> {
  const rows = await ctx.db
    .selectFrom('objects')
    .innerJoin('object_indexes', 'object_indexes.id', 'objects.index_id')
    .where('object_indexes.config_id', '=', configId)
    .select(['objects.key', 'objects.size_bytes'])
    .execute()
  return new Map(rows.map(({ key, size_bytes }) => [key, size_bytes]))
}

/** Compares the storage with the index, which does not contain objects of shares. */
function differences(objects: ReadonlyMap<string, ObjectStat>, index: ReadonlyMap<string, number>): string[] {
  return [
    ...[...objects.values()]
      .filter(({ key, sizeBytes }) => !isInSharesFolder(key) && index.get(key) !== sizeBytes)
      .map(({ key }) => key),
    ...[...index.keys()].filter((key) => !objects.has(key)),
  ]
}

/**
 * Compares database, index and storage with each other and with the acknowledged changes. The server must be stopped,
 * and `auditServer` must have resolved all uncertain entries of the ledger.
 */
export async function auditStores(
  ctx: AppContext,
  { ledger, storage, areTextsSwept }: { ledger: Ledger; storage: TortureStorage; areTextsSwept: boolean },
): Promise<Leftovers & { indexBehind: number }> {
  const { configId, mountPath } = storage
  const driver = await ctx.storage.driverFor(await getConfig(ctx, configId))
  const objects = await allObjects(driver)
  const rows = await ctx.db
    .selectFrom('files')
    .selectAll()
    .where('storage_config_id', '=', configId)
    .execute()
  const texts = await ctx.db.selectFrom('pastes').select(['slug', 'views']).execute()
  for (const { slug } of texts)
    if (!ledger.texts.has(slug) && !ledger.counted.has(slug)) ledger.faults.push(`text ${slug} is back`)
  // The sweep deletes used-up texts after a day, so the views are compared only before that sweep.
  if (!areTextsSwept) auditViews(ledger, new Map(texts.map(({ slug, views }) => [slug, views])))
  const { named, unnamed } = await auditBundles(ctx, { rows, objects, ledger })
  const owned = new Set<string>(named)
  for (const row of rows.filter((one) => one.committed_at_ms !== null && one.bundle_id === null)) {
    owned.add(row.storage_key)
    const size = objects.get(row.storage_key)?.sizeBytes
    if (size !== row.size_bytes)
      ledger.faults.push(`share ${row.slug}: row of ${row.size_bytes} bytes, object of ${size}`)
    if (!ledger.shares.has(row.slug)) ledger.faults.push(`share ${row.slug} is back`)
  }
  for (const path of ledger.files.keys()) owned.add(path.slice(mountPath.length + 1))
  const left = [...objects.values()].filter(({ key }) => !owned.has(key))
  for (const { key } of left)
    if (!isInSharesFolder(key)) ledger.faults.push(`object ${key}: nobody put it there`)
  const indexBehind = differences(objects, await indexed(ctx, configId)).length
  await crawl(ctx, { configId, signal: new AbortController().signal, isFromStart: true })
  for (const key of differences(objects, await indexed(ctx, configId)))
    ledger.faults.push(`index: ${key} is not as it is stored, after a crawl`)
  const swept = await driver.sweepTemporary({ olderThanMs: 0, isDryRun: true })
  return {
    objects: left.length,
    objectBytes: left.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    rows: unnamed + rows.filter(({ committed_at_ms: at }) => at === null).length,
    removals: await countOf(ctx.db.selectFrom('object_removals').select('id').execute()),
    parts: swept.files,
    uploads: await countOf(
      ctx.db.selectFrom('fs_uploads').select('id').where('state', 'in', ['open', 'completing']).execute(),
    ),
    reservations: await countOf(ctx.db.selectFrom('storage_reservations').select('id').execute()),
    indexBehind,
  }
}
