import type { QueueEntry } from '@dropleaf/sync-queue'
import { liveQuery } from 'dexie'
import { useEffect, useState } from 'react'
import { saveDraft } from '../../../domains/editor/drafts/saved-drafts.ts'
import { offlineDatabase } from '../../../domains/offline/database.ts'
import type { SentText } from '../../../domains/offline/database.ts'
import { listQueue, queueStore } from '../../../domains/offline/queue/queue-store.ts'
import { textOf } from '../../../domains/offline/queue/resolve-conflict.ts'
import { listSent } from '../../../domains/offline/queue/sent-texts.ts'
import { currentOwner } from '../../../domains/session/session-owner.ts'
import { useSession } from '../../../domains/session/session.ts'

/** `others` means that only other users have pending changes. */
type Queue = readonly QueueEntry[] | 'loading' | 'unreadable' | 'others'

/** Returns the current user's pending changes, including changes of other tabs and of the service worker. */
export function useQueue(): Queue {
  useSession()
  const owner = currentOwner()
  const [queue, setQueue] = useState<Queue>('loading')
  useEffect(() => {
    // A database that cannot be opened is a state of the queue, not an error of the live query.
    const read = async (): Promise<Queue> => {
      try {
        const mine = await listQueue(offlineDatabase(), owner)
        return mine.length === 0 && (await offlineDatabase().offlineQueue.count()) > 0 ? 'others' : mine
      } catch {
        return 'unreadable'
      }
    }
    const subscription = liveQuery(read).subscribe(setQueue)
    return () => subscription.unsubscribe()
  }, [owner])
  return queue
}

/** Returns texts of the current user that were queued and have been sent. */
export function useSentTexts(): readonly SentText[] {
  useSession()
  const owner = currentOwner()
  const [sent, setSent] = useState<readonly SentText[]>([])
  useEffect(() => {
    const read = () => listSent(offlineDatabase(), owner).catch(() => [])
    const subscription = liveQuery(read).subscribe(setSent)
    return () => subscription.unsubscribe()
  }, [owner])
  return sent
}

export const changeEntry = (id: number, changes: Partial<Omit<QueueEntry, 'id'>>): Promise<void> =>
  queueStore(offlineDatabase()).change(id, changes)

/** Returns the place under which the drafts of a text are stored. */
const draftPlace = ({ type, endpoint }: QueueEntry) =>
  type === 'update_paste' ? `paste:${decodeURIComponent(endpoint.split('/').at(-1) ?? '')}` : 'home'

/**
 * Removes an entry from the queue, and saves its text as a draft.
 * @returns whether the entry was removed; it is not removed if the draft cannot be stored
 */
export async function dropEntry(entry: QueueEntry): Promise<boolean> {
  const text = textOf(entry)
  if (text && text.content.trim() !== '') {
    const { content, isMarkdown, remark } = text
    const draft = { place: draftPlace(entry), title: remark, text: content, isMarkdown }
    if (!(await saveDraft(draft))) return false
  }
  await queueStore(offlineDatabase()).remove(entry.id)
  return true
}
