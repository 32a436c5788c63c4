import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect } from 'vitest'
import type { ByteRange, ListPage, ListQuery, StorageDriver } from '../driver.ts'
import type { StorageErrorCode } from '../errors.ts'
import { parseFolderKey, parseStorageKey, type StorageKey } from '../keys.ts'

/** One storage for a run of the suite. Each case works below its own folder. */
export interface Harness {
  driver: StorageDriver
  /** Opens another driver on the same storage, as after a restart. */
  reopen: () => Promise<StorageDriver>
  /**
   * Names of the files that interrupted writes left behind, except multipart uploads. Absent if the storage cannot list
   * them (S3).
   */
  leftovers?: () => Promise<string[]>
  /** Whether an upload can be completed without some of its uploaded parts. Ceph refuses that. */
  leavesPartsOut?: boolean
  cleanup: () => Promise<void>
}

/** Gives a case the driver, and keys that no other case uses. */
export class Bench {
  readonly harness: Harness
  readonly folder = `${randomUUID()}/`

  constructor(harness: Harness) {
    this.harness = harness
  }

  get driver(): StorageDriver {
    return this.harness.driver
  }

  /** The multipart uploads of the driver. Cases that need them run only on drivers that have them. */
  get multipart() {
    const { multipart } = this.driver
    if (multipart === null) throw new Error('This driver has no multipart uploads.')
    return multipart
  }

  key(name: string): StorageKey {
    return parseStorageKey(this.folder + name)
  }

  folderKey(name: string): StorageKey {
    return parseFolderKey(this.folder + name)
  }

  put(name: string, text: string) {
    return this.driver.write(this.key(name), textBody(text))
  }

  mark(name: string) {
    return this.driver.write(this.folderKey(name), textBody(''))
  }

  async text(name: string, range?: ByteRange): Promise<string> {
    return (await this.bytes(name, range)).toString()
  }

  async bytes(name: string, range?: ByteRange): Promise<Buffer> {
    const { body } = await this.driver.read(this.key(name), { range })
    return buffer(body)
  }

  async putMany(names: readonly string[]): Promise<void> {
    const queue = names.values()
    const worker = async () => {
      for (const name of queue) await this.put(name, name)
    }
    await Promise.all(Array.from({ length: 32 }, worker))
  }

  /** Lists all pages below the case's folder. The keys in `objects` and `folders` are relative to that folder. */
  async list(query: Partial<ListQuery> = {}) {
    const objects: string[] = []
    const folders: string[] = []
    const pages: ListPage[] = []
    let cursor: string | undefined
    do {
      const prefix = this.folder + (query.prefix ?? '')
      const page = await this.driver.list({ limit: 1000, ...query, prefix, cursor })
      objects.push(...page.objects.map(({ key }) => key.slice(this.folder.length)))
      folders.push(...page.folders.map(({ key }) => key.slice(this.folder.length)))
      pages.push(page)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    return { objects, folders, pages }
  }

  /**
   * Lists the objects below the case's folder, once recursively and once on one level with its folders, and all
   * leftovers of interrupted writes.
   */
  async remains(): Promise<string[]> {
    const [deep, level] = [await this.list(), await this.list({ delimiter: '/' })]
    const leftovers = (await this.harness.leftovers?.()) ?? []
    return [...deep.objects, ...level.objects, ...level.folders, ...leftovers]
  }
}

export function textBody(text: string): Readable {
  return Readable.from(text === '' ? [] : [Buffer.from(text)])
}

/** Creates a body that yields each piece after 5 ms. An `Error` in place of a piece makes the body fail. */
export function slowBody(pieces: readonly (string | Error)[]): Readable {
  return Readable.from(
    (async function* () {
      for (const piece of pieces) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (piece instanceof Error) throw piece
        yield Buffer.from(piece)
      }
    })(),
  )
}

/** Creates a body that sends a few bytes and then stalls. */
export function stuckBody(): Readable {
  let isStarted = false
  return new Readable({
    read() {
      if (!isStarted) this.push(Buffer.from('begin'))
      isStarted = true
    },
  })
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function randomBody(sizeBytes: number): { bytes: Buffer; body: () => Readable } {
  const bytes = randomBytes(sizeBytes)
  const chunks = Array.from({ length: Math.ceil(sizeBytes / 65_536) }, (_, index) =>
    bytes.subarray(index * 65_536, (index + 1) * 65_536),
  )
  return { bytes, body: () => Readable.from(chunks, { objectMode: false }) }
}

export async function expectError(call: Promise<unknown>, code: StorageErrorCode): Promise<void> {
  await expect(call).rejects.toMatchObject({ name: 'StorageError', code })
}
