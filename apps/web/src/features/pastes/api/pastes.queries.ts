import type { PasteDetail, ReadablePaste } from '@dropleaf/contract'
import { pasteRoutes } from '@dropleaf/contract'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, interpretReply } from '../../../domains/api/api-client.ts'
import { peekEarlyAnswer, takeEarlyAnswer } from '../../../domains/shares/early-answer.ts'
import type { KeptFacts } from '../../../domains/offline/queue/keep-for-later.ts'
import { isQueueMarked } from '../../../domains/offline/queue/queue-mark.ts'
import { getSession } from '../../../domains/session/session.ts'
import type { PasteReply } from './paste-reply.ts'
import { isReadable, parseReadable } from './paste-reply.ts'

/** Of the tables of texts. */
export const MANAGED_PASTES = ['managed-pastes'] as const

export const pasteKey = (slug: string) => ['pastes', slug] as const

/** The early answer, if it is one that can be shown at once. */
function takeReadable(slug: string): ReadablePaste | undefined {
  const early = peekEarlyAnswer(slug)
  const paste = early && parseReadable(early.answer)
  if (!paste) return undefined
  takeEarlyAnswer(slug)
  return paste
}

/** With what its owner has saved, where that still waits for the line. */
async function withWaiting(paste: ReadablePaste): Promise<ReadablePaste> {
  if (!isQueueMarked()) return paste
  const { withWaitingText } = await import('../../../domains/offline/queue/waiting-edits.ts')
  return withWaitingText(paste)
}

export const pasteQueries = {
  /** Every fetch uses up a view, so it happens once: no retry, no refetch, whatever else is asked for anew. */
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
  /** The whole text as it is for its owner now; forgotten when nobody looks at it any more. */
  own: (id: string) =>
    queryOptions({
      queryKey: ['own-paste', id, 'now'],
      queryFn: () => readOwnPaste(id),
      gcTime: 0,
      meta: { isPrivate: true },
    }),
}

/** A text has been shared, changed or deleted: what lists texts asks anew. No text itself, which would take a view. */
export const afterTextShareChange = (queryClient: QueryClient): void =>
  void queryClient.invalidateQueries({ queryKey: MANAGED_PASTES })

export const unlockPaste = (slug: string, password: string): Promise<ReadablePaste> =>
  api(pasteRoutes.unlock, { params: { slug }, body: { password } })

/** The whole text for its owner, by id or slug. Uses up no view. */
export async function readOwnPaste(id: string): Promise<PasteDetail> {
  const route = getSession().kind === 'admin' ? pasteRoutes.adminRead : pasteRoutes.userRead
  const { data } = await api(route, { params: { id } })
  return data
}

/** What its owner goes on with: that, and what still waits for the line. `continues`: the last change that waits. */
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
  whenKept: KeptFacts,
): Promise<{ id: string; slug: string }> {
  const route = getSession().kind === 'admin' ? pasteRoutes.adminUpdate : pasteRoutes.userUpdate
  const { data } = await api(route, { params: { id }, body, whenKept })
  return data
}

/** The owner's form of a share as the one that readers see. */
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
