import * as z from 'zod/mini'
import { authErrors } from '../administration/auth.ts'
import { PAGE_SIZE_MAX, PASTES_PAGE_SIZE, USER_PASTES_PAGE_SIZE } from '../core/limits.ts'
import { pasteErrors, pasteOwnerFields } from './pastes.ts'
import { route } from '../core/route.ts'
import {
  batchDeleteBody,
  creatorFilter,
  matchingDeletion,
  offsetPagination,
  pasteOrder,
  shareFilter,
} from './share-lists.ts'
import { bit, defaultInt, idParams, offsetPage } from '../core/wire.ts'

const adminListItem = z.object({
  ...pasteOwnerFields,
  has_password: bit,
  view_count: z.number(),
  content_preview: z.string(),
})
const userListItem = z.object({
  ...pasteOwnerFields,
  has_password: bit,
  views: z.number(),
  content: z.string(),
})

const keyInfo = z.nullable(
  z.object({
    id: z.string(),
    name: z.string(),
    basicPath: z.string(),
    permissions: z.object({ text: z.boolean(), file: z.boolean(), mount: z.boolean(), admin: z.boolean() }),
  }),
)

const deletedCount = z.object({ data: z.object({ deleted: z.number() }) })

const remove = {
  method: 'DELETE',
  params: idParams,
  reply: z.object({}),
  isRepeatable: true,
  errors: [pasteErrors.not_found],
} as const
const batchDelete = {
  method: 'POST',
  body: batchDeleteBody,
  reply: deletedCount,
  isRepeatable: true,
} as const
const clearExpired = { method: 'POST', reply: deletedCount, isRepeatable: true, errors: [] } as const

/**
 * Lists of text shares and batch operations. They are in a separate module, because a first visit does not need them.
 */
export const managedPasteRoutes = {
  adminList: route({
    method: 'GET',
    path: '/api/admin/pastes',
    access: 'admin',
    summary: 'All shared texts, newest first unless told otherwise.',
    query: z.object({
      page: defaultInt({ min: 1, max: 1_000_000 }, 1),
      limit: defaultInt({ min: 1, max: PAGE_SIZE_MAX }, PASTES_PAGE_SIZE),
      ...creatorFilter,
      ...shareFilter,
      ...pasteOrder,
    }),
    reply: z.object({
      data: z.array(adminListItem),
      pagination: z.object({
        total: z.number(),
        page: z.number(),
        limit: z.number(),
        totalPages: z.number(),
      }),
    }),
    errors: [],
  }),
  adminDelete: route({
    ...remove,
    path: '/api/admin/pastes/:id',
    access: 'admin',
    summary: 'Delete a shared text by id or slug.',
  }),
  adminBatchDelete: route({
    ...batchDelete,
    path: '/api/admin/pastes/batch-delete',
    access: 'admin',
    summary: 'Delete many texts; returns how many existed.',
    errors: [],
  }),
  adminDeleteMatching: route({
    method: 'POST',
    path: '/api/admin/pastes/delete-matching',
    access: 'admin',
    summary: 'Delete every shared text that matches, as a task.',
    body: z.object({ ...creatorFilter, ...shareFilter }),
    reply: matchingDeletion,
    errors: [],
  }),
  clearExpired: route({
    ...clearExpired,
    path: '/api/admin/pastes/clear-expired',
    access: 'admin',
    summary: 'Remove every expired or used-up text; returns how many.',
  }),
  userList: route({
    method: 'GET',
    path: '/api/user/pastes',
    access: 'text',
    summary: 'The caller’s own shared texts, newest first unless told otherwise.',
    query: z.object({ ...offsetPage(USER_PASTES_PAGE_SIZE, PAGE_SIZE_MAX), ...shareFilter, ...pasteOrder }),
    reply: z.object({
      data: z.array(userListItem),
      pagination: offsetPagination,
      key_info: keyInfo,
    }),
    errors: [],
  }),
  userDelete: route({
    ...remove,
    path: '/api/user/pastes/:id',
    access: 'text',
    summary: 'Delete one of the caller’s own texts by id or slug.',
  }),
  userBatchDelete: route({
    ...batchDelete,
    path: '/api/user/pastes/batch-delete',
    access: 'text',
    summary: 'Delete many of the caller’s own texts; returns how many.',
    errors: [authErrors.forbidden],
  }),
  userDeleteMatching: route({
    method: 'POST',
    path: '/api/user/pastes/delete-matching',
    access: 'text',
    summary: 'Delete every text of the caller that matches, as a task.',
    body: z.object(shareFilter),
    reply: matchingDeletion,
    errors: [],
  }),
  userClearExpired: route({
    ...clearExpired,
    path: '/api/user/pastes/clear-expired',
    access: 'text',
    summary: 'Remove every expired or used-up text of the caller; returns how many.',
  }),
}
