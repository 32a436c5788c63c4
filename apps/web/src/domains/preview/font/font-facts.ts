/** Metadata of a font. Missing values are absent. */
export interface FontFacts {
  readonly family?: string
  readonly style?: string
  readonly version?: string
  readonly designer?: string
  readonly copyright?: string
  readonly license?: string
  readonly glyphs?: number
}

/** Name IDs. Source: OpenType 1.9.1, "name", read 2026-11-22. */
const NAMES = {
  family: [16, 1],
  style: [17, 2],
  version: [5],
  designer: [9],
  copyright: [0],
  license: [13],
} as const
const WINDOWS = 3
const TABLES_MAX = 200

interface Table {
  readonly at: number
  readonly length: number
  /** Uncompressed length of a compressed table, in bytes. */
  readonly wholeLength: number
}

const tagAt = (view: DataView, at: number) =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3))

function listTables(view: DataView): ReadonlyMap<string, Table> {
  const isPacked = tagAt(view, 0) === 'wOFF'
  const start = tagAt(view, 0) === 'ttcf' ? view.getUint32(12) : 0
  const count = Math.min(TABLES_MAX, view.getUint16(isPacked ? 12 : start + 4))
  const tables = new Map<string, Table>()
  for (let index = 0; index < count; index += 1) {
    const at = isPacked ? 44 + index * 20 : start + 12 + index * 16
    const length = view.getUint32(at + (isPacked ? 8 : 12))
    tables.set(tagAt(view, at), {
      at: view.getUint32(at + (isPacked ? 4 : 8)),
      length,
      wholeLength: isPacked ? view.getUint32(at + 12) : length,
    })
  }
  return tables
}

async function readTable(bytes: Uint8Array<ArrayBuffer>, table: Table | undefined): Promise<DataView | null> {
  if (!table) return null
  const part = bytes.slice(table.at, table.at + table.length)
  if (table.length === table.wholeLength) return new DataView(part.buffer)
  const stream = new Blob([part]).stream().pipeThrough(new DecompressionStream('deflate'))
  return new DataView(await new Response(stream).arrayBuffer())
}

function readNames(view: DataView): ReadonlyMap<number, string> {
  const names = new Map<number, string>()
  const texts = view.getUint16(4)
  for (let index = 0; index < view.getUint16(2); index += 1) {
    const at = 6 + index * 12
    const isWide = view.getUint16(at) === WINDOWS || view.getUint16(at) === 0
    const id = view.getUint16(at + 6)
    if (names.has(id) && !isWide) continue
    const from = view.byteOffset + texts + view.getUint16(at + 10)
    const part = new Uint8Array(view.buffer, from, view.getUint16(at + 8))
    const isEnglish = view.getUint16(at + 4) === 0x04_09
    if (names.has(id) && !isEnglish) continue
    names.set(id, new TextDecoder(isWide ? 'utf-16be' : 'macintosh').decode(part).trim())
  }
  return names
}

/**
 * Reads the metadata of a font. Returns nothing for WOFF2, because browsers do not offer Brotli decompression to
 * scripts.
 */
export async function readFontFacts(bytes: Uint8Array<ArrayBuffer>): Promise<FontFacts> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (tagAt(view, 0) === 'wOF2') return {}
  const tables = listTables(view)
  const [table, most] = await Promise.all([
    readTable(bytes, tables.get('name')),
    readTable(bytes, tables.get('maxp')),
  ])
  const names = table ? readNames(table) : new Map<number, string>()
  const named = Object.entries(NAMES).flatMap(([fact, ids]) => {
    const text = ids.map((id) => names.get(id)).find((name) => name !== undefined && name !== '')
    return text === undefined ? [] : [[fact, text.slice(0, 300)] as const]
  })
  return { ...Object.fromEntries(named), ...(most && { glyphs: most.getUint16(4) }) }
}
