import type { PasteDetail, ReadablePaste } from '@dropleaf/contract'
import { pasteRoutes } from '@dropleaf/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, interpretReply } from '../../../domains/api/api-client.ts'
import { peekEarlyAnswer, takeEarlyAnswer } from '../../../domains/shares/early-answer.ts'
import type { QueuedFacts } from '../../../domains/offline/queue/queue-call.ts'
import { isQueueMarked } from '../../../domains/offline/queue/queue-mark.ts'
import { getSession } from '../../../domains/session/session.ts'
import type { PasteReply } from './paste-reply.ts'
import { isReadable, parseReadable } from './paste-reply.ts'

/** Query key of the tables of texts. */
export const MANAGED_PASTES = ['managed-pastes'] as const

export const pasteKey = (slug: string) => ['pastes', slug] as const

/**
 * Takes the text from the response to the request that was sent before the app was loaded. A response without the text,
 * such as the one that asks for the password, stays.
 */
function takeReadable(slug: string): ReadablePaste | undefined {
  const early = peekEarlyAnswer(slug)
  const paste = early && parseReadable(early.answer)
  if (!paste) return undefined
  takeEarlyAnswer(slug)
  return paste
}

/** Applies the owner's pending changes to a text. */
async function withWaiting(paste: ReadablePaste): Promise<ReadablePaste> {
  if (!isQueueMarked()) return paste
  const { withWaitingText } = await import('../../../domains/offline/queue/waiting-edits.ts')
  return withWaitingText(paste)
}

export const pasteQueries = {
  /** Each request can count a view, so the query sends only one request, without retries or refetches. */
  bySlug: (slug: string) =>
    queryOptions<PasteReply>({
      queryKey: pasteKey(slug),
      queryFn: async ({ signal }) => {
        const early = takeEarlyAnswer(slug)
        const reply = early
          ? (interpretReply(early.answer, early.sent) as PasteReply)
          : await api(pasteRoutes.read, { params: { slug }, signal })
        return isReadable(reply) ? withWaiting(reply) : reply
      },
      initialData: () => (isQueueMarked() ? undefined : takeReadable(slug)),
      staleTime: 'static',
      retry: false,
      refetchOnReconnect: false,
      refetchOnMount: false,
    }),
  /** The complete text for its owner; not cached after use. */
  own: (id: string) =>
    queryOptions({
      queryKey: ['own-paste', id, 'now'],
      queryFn: () => readOwnPaste(id),
      gcTime: 0,
      meta: { isPrivate: true },
    }),
}

/**
 * Refreshes the lists of texts after a change. Does not request the text itself, because the request would count a
 * view.
 */
export const afterTextShareChange = (queryClient: QueryClient): void =>
  void queryClient.invalidateQueries({ queryKey: MANAGED_PASTES })

export const unlockPaste = (slug: string, password: string): Promise<ReadablePaste> =>
  api(pasteRoutes.unlock, { params: { slug }, body: { password } })

/** Reads the complete text for its owner, by id or slug. Does not count a view. */
export async function readOwnPaste(id: string): Promise<PasteDetail> {
  const route = getSession().kind === 'admin' ? pasteRoutes.adminRead : pasteRoutes.userRead
  const { data } = await api(route, { params: { id } })
  return data
}

/**
 * Reads a text with its pending changes, for the editor. `continues` is the id of the last pending change; `null` if
 * there is none.
 */
export async function readForEdit(id: string): Promise<{ detail: PasteDetail; continues: number | null }> {
  const detail = await readOwnPaste(id)
  if (!isQueueMarked()) return { detail, continues: null }
  const { withWaitingEdits } = await import('../../../domains/offline/queue/waiting-edits.ts')
  return withWaitingEdits(detail)
}

type UpdateBody = NonNullable<Parameters<typeof api<typeof pasteRoutes.adminUpdate>>[1]>['body']

export async function updatePaste(
  id: string,
  body: UpdateBody,
  whenQueued: QueuedFacts,
): Promise<{ id: string; slug: string }> {
  const route = getSession().kind === 'admin' ? pasteRoutes.adminUpdate : pasteRoutes.userUpdate
  const { data } = await api(route, { params: { id }, body, whenQueued })
  return data
}

/** Converts a share from the owner's format to the readers' format. */
export const readableFromDetail = (detail: PasteDetail): ReadablePaste => ({
  slug: detail.slug,
  content: detail.content,
  content_type: detail.content_type,
  remark: detail.remark,
  hasPassword: Boolean(detail.has_password),
  expiresAt: detail.expires_at,
  maxViews: detail.max_views,
  views: detail.views,
  createdAt: detail.created_at,
  updatedAt: detail.updated_at,
  created_by: detail.created_by,
})
