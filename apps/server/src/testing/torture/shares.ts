import { bytesOf, sha256 } from './random.ts'
import { certain, Change } from './ledger.ts'
import type { Worker } from './worker.ts'

/** Operations on texts and file shares. Each operation waits for the response and records it in the ledger. */

const TEXT_LIMIT = 25
const PART_BYTES = 5 * 1024 * 1024

/** Returns `sizeBytes` bytes as base64. The same label always gives the same bytes. */
const textOf = (label: string, sizeBytes: number): string => bytesOf(label, sizeBytes).toString('base64')

export const hashOfText = (text: string): string => sha256(Buffer.from(text))

function newText(w: Worker): { text: string; hash: string } {
  const text = textOf(w.newName('text'), w.random.between(20, 4000))
  const hash = hashOfText(text)
  w.ledger.sizes.set(hash, text.length)
  return { text, hash }
}

const ownText = (w: Worker) =>
  w.random.pick([...w.own.texts].filter((slug) => typeof certain(w.ledger.texts, slug) === 'string'))

async function createText(w: Worker): Promise<void> {
  const slug = w.newName('t')
  const { text, hash } = newText(w)
  const change = new Change().expect(w.ledger.texts, slug, hash)
  await w.client.call('POST', '/paste', { json: { content: text, slug } })
  change.acknowledge()
  w.own.texts.add(slug)
}

async function updateText(w: Worker): Promise<void> {
  const slug = ownText(w)
  if (slug === undefined) return createText(w)
  const { text, hash } = newText(w)
  const change = new Change().expect(w.ledger.texts, slug, hash)
  await w.client.call('PUT', `/admin/pastes/${slug}`, { json: { content: text } })
  change.acknowledge()
}

async function deleteText(w: Worker): Promise<void> {
  const slug = ownText(w)
  if (slug === undefined) return createText(w)
  w.own.texts.delete(slug)
  const change = new Change().expect(w.ledger.texts, slug, null)
  await w.client.call('DELETE', `/admin/pastes/${slug}`)
  change.acknowledge()
}

/** Reads one of the texts that have a view limit and that all clients share, or creates such a text. */
async function readCounted(w: Worker): Promise<void> {
  const { counted } = w.ledger
  const slug = w.random.pick([...counted.keys()].slice(-3))
  const text = slug === undefined ? undefined : counted.get(slug)
  if (slug === undefined || text === undefined || w.random.next() < 0.05) {
    const { text: content } = newText(w)
    const fresh = w.newName('v')
    const change = new Change().expect(w.ledger.texts, fresh, hashOfText(content))
    await w.client.call('POST', '/paste', { json: { content, slug: fresh, maxViews: TEXT_LIMIT } })
    change.acknowledge()
    // From now on the text is only read through its limited views, and each read compares the content.
    w.ledger.texts.delete(fresh)
    counted.set(fresh, { content, limit: TEXT_LIMIT, reads: 0, open: 0 })
    return
  }
  text.open += 1
  const answer = await w.client.call('GET', `/raw/${slug}`, { isAnonymous: true, allowed: [410, 404] })
  text.open -= 1
  if (answer.status === 200) {
    text.reads += 1
    if (answer.bytes.toString() !== text.content) w.ledger.faults.push(`${slug}: read as another text`)
    if (text.reads > text.limit) w.ledger.faults.push(`${slug}: read ${text.reads} times of ${text.limit}`)
  } else if (text.reads + text.open < text.limit) {
    w.ledger.faults.push(`${slug}: used up after ${text.reads} reads and ${text.open} open ones`)
  }
}

function newFile(w: Worker) {
  const bytes = bytesOf(w.newName('file'), w.newSize())
  const hash = sha256(bytes)
  w.ledger.sizes.set(hash, bytes.length)
  return { slug: w.newName('f'), bytes, hash }
}

async function shareDirect(w: Worker): Promise<void> {
  const { slug, bytes, hash } = newFile(w)
  const change = new Change().expect(w.ledger.shares, slug, hash)
  const query = `s3_config_id=${w.storage.configId}&slug=${slug}&path=shared`
  const { data } = await w.client.call('PUT', `/upload-direct/direct.bin?${query}`, { body: bytes })
  change.acknowledge()
  w.own.shares.set(slug, data.id)
}

async function shareForm(w: Worker): Promise<void> {
  const { slug, bytes, hash } = newFile(w)
  const form = new FormData()
  form.set('s3_config_id', w.storage.configId)
  form.set('slug', slug)
  form.set('path', 'shared')
  form.set('file', new Blob([bytes]), 'form.bin')
  const change = new Change().expect(w.ledger.shares, slug, hash)
  const { data } = await w.client.call('POST', '/upload', { body: form })
  change.acknowledge()
  w.own.shares.set(slug, data.id)
}

async function shareSigned(w: Worker): Promise<void> {
  const { slug, bytes, hash } = newFile(w)
  const { data } = await w.client.call('POST', '/s3/presign', {
    json: {
      s3_config_id: w.storage.configId,
      filename: 'signed.bin',
      size: bytes.length,
      slug,
      path: 'shared',
    },
  })
  await w.client.at('PUT', data.upload_url, { body: bytes, headers: { 'content-type': data.contentType } })
  const change = new Change().expect(w.ledger.shares, slug, hash)
  await w.client.call('POST', '/s3/commit', { json: { file_id: data.file_id, size: bytes.length } })
  change.acknowledge()
  w.own.shares.set(slug, data.file_id)
}

async function shareInParts(w: Worker): Promise<void> {
  const isLong = w.random.next() < 0.1
  const bytes = bytesOf(w.newName('file'), isLong ? PART_BYTES + 1000 : w.newSize())
  const hash = sha256(bytes)
  const slug = w.newName('f')
  w.ledger.sizes.set(hash, bytes.length)
  const { data } = await w.client.call('POST', '/url/multipart/init', {
    json: {
      url: 'http://source.example/parts.bin',
      s3_config_id: w.storage.configId,
      slug,
      path: 'shared',
      metadata: { filename: 'parts.bin', contentType: 'application/octet-stream', size: bytes.length },
      total_size: bytes.length,
      part_size: PART_BYTES,
    },
  })
  const urls = data.presigned_urls as Array<{ partNumber: number; url: string }>
  const size = data.part_size as number
  const parts = []
  for (const { partNumber, url } of urls) {
    const body = bytes.subarray((partNumber - 1) * size, partNumber * size)
    const { headers } = await w.client.at('PUT', url, { body })
    parts.push({ partNumber, etag: headers.get('etag') ?? '' })
  }
  const change = new Change().expect(w.ledger.shares, slug, hash)
  await w.client.call('POST', '/url/multipart/complete', {
    json: { file_id: data.file_id, upload_id: data.upload_id, parts },
  })
  change.acknowledge()
  w.own.shares.set(slug, data.file_id)
}

async function deleteShare(w: Worker): Promise<void> {
  const slug = w.random.pick([...w.own.shares.keys()])
  if (slug === undefined) return shareDirect(w)
  const id = w.own.shares.get(slug)
  w.own.shares.delete(slug)
  const change = new Change().expect(w.ledger.shares, slug, null)
  await w.client.call('DELETE', '/admin/files/batch-delete', { json: { ids: [id] } })
  change.acknowledge()
}

async function readShare(w: Worker): Promise<void> {
  const slug = w.random.pick([...w.own.shares.keys()])
  if (slug === undefined) return shareDirect(w)
  const { bytes } = await w.client.call('GET', `/file-download/${slug}`, { isAnonymous: true })
  const wanted = certain(w.ledger.shares, slug)
  if (wanted !== sha256(bytes)) w.ledger.faults.push(`share ${slug}: read as other bytes`)
}

/** Operations with their weights in the random choice. */
export const SHARE_OPERATIONS: ReadonlyArray<readonly [string, number, (w: Worker) => Promise<void>]> = [
  ['create text', 3, createText],
  ['update text', 2, updateText],
  ['delete text', 1, deleteText],
  ['read counted text', 4, readCounted],
  ['share direct', 3, shareDirect],
  ['share form', 1, shareForm],
  ['share signed', 2, shareSigned],
  ['share in parts', 1, shareInParts],
  ['delete share', 2, deleteShare],
  ['read share', 1, readShare],
]
