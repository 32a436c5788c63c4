import type { QueueEntry } from '@dropleaf/sync-queue'

type Changes = Partial<Omit<QueueEntry, 'id'>>

/** A changed request needs a new idempotency key. */
const withNewKey = (idempotencyKey: string): Changes => ({
  idempotencyKey,
  status: 'pending',
  conflict: null,
  failure: null,
  attempts: 0,
  nextAttemptAtMs: 0,
})

const fieldsOf = ({ data }: QueueEntry) => (data ?? {}) as Readonly<Record<string, unknown>>

/** Returns the text of an entry, or `null`. */
export function textOf(entry: QueueEntry): { content: string; isMarkdown: boolean; remark: string } | null {
  const { content, content_type: type, remark } = fieldsOf(entry)
  if (typeof content !== 'string') return null
  return { content, isMarkdown: type !== 'text/plain', remark: typeof remark === 'string' ? remark : '' }
}

/** Overwrites the server's version, which remains in the history. */
export const overTheirs = (entry: QueueEntry, key: string): Changes => ({
  ...withNewKey(key),
  data: { ...fieldsOf(entry), expectedUpdatedAt: undefined },
})

/** Saves the local version as a new text with a random slug. */
export function asNewText(entry: QueueEntry, key: string): Changes {
  const { content, content_type, remark, expiresAt, maxViews, opening } = fieldsOf(entry)
  return {
    ...withNewKey(key),
    type: 'create_paste',
    method: 'POST',
    endpoint: '/api/paste',
    subjects: [],
    data: { content, content_type, remark, expiresAt, maxViews, opening, slug: null },
  }
}

/**
 * Uses another slug; `null` means a random slug. The requests that create and change a text use different field names
 * for the slug.
 */
export function underSuffix(entry: QueueEntry, slug: string | null, key: string): Changes {
  const isPaste = entry.type === 'create_paste'
  const isCreation = isPaste || entry.type === 'create_sealed_text'
  return {
    ...withNewKey(key),
    ...(isPaste && { subjects: slug === null ? [] : [`paste:${slug}`] }),
    data: { ...fieldsOf(entry), ...(isCreation ? { slug } : { newSlug: slug }) },
  }
}

/** Restarts the lifetime of the share from now. */
export function fromNowOn(entry: QueueEntry, key: string, nowMs: number): Changes {
  const data = fieldsOf(entry)
  const meantMs = Date.parse(String(data['expiresAt'])) - entry.timestamp
  const expiresAt = new Date(nowMs + meantMs).toISOString()
  return { ...withNewKey(key), timestamp: nowMs, data: { ...data, expiresAt } }
}

/**
 * Sends the change again. A rejected request gets a new idempotency key. A request that the server may already have
 * processed keeps its key.
 */
export function again(entry: QueueEntry, key: string): Changes {
  const status = entry.failure?.status ?? 0
  const mayBeDone = status === 0 || status >= 500
  return { ...withNewKey(mayBeDone ? entry.idempotencyKey : key) }
}
