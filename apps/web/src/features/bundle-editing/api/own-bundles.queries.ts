import { bundleRoutes, type BundleDetail, type InputOf, type ManifestInput } from '@dropleaf/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../domains/api/api-client.ts'
import type { BundleAccess } from '../models/bundle-access.ts'

const KEY = 'own-bundle'

export const ownBundleQueries = {
  /**
   * This query is never refetched automatically, because a newer revision would become the base of the current edit. It
   * is not marked as private, because private data is removed at the end of a session, and unsaved changes must stay.
   */
  detail: (id: string) =>
    queryOptions({
      queryKey: [KEY, id],
      queryFn: ({ signal }) => readOwnBundle(id, signal),
      gcTime: 0,
      staleTime: Infinity,
      refetchOnReconnect: false,
    }),

  revisions: (id: string) =>
    queryOptions({
      queryKey: [KEY, id, 'revisions'],
      queryFn: async ({ signal }) => (await api(bundleRoutes.revisions, { params: { id }, signal })).data,
      staleTime: 0,
      meta: { isPrivate: true },
    }),

  /** A revision never changes. */
  revision: (access: BundleAccess, revision: number) =>
    queryOptions({
      queryKey: [KEY, access.id, 'revisions', revision],
      queryFn: ({ signal }) => access.readRevision(revision, signal),
      staleTime: Infinity,
      meta: { isPrivate: true },
    }),
}

export async function readOwnBundle(id: string, signal?: AbortSignal): Promise<BundleDetail> {
  return (await api(bundleRoutes.detail, { params: { id }, signal })).data
}

export async function readOwnRevision(id: string, revision: number, signal?: AbortSignal) {
  return (await api(bundleRoutes.revision, { params: { id, r: revision }, signal })).data
}

/** @throws {ApiError} `bundle.changed` if the current revision is not the expected revision */
export async function publishRevision(
  id: string,
  manifest: ManifestInput,
  expectedRevision: number,
): Promise<void> {
  await api(bundleRoutes.publish, { params: { id }, body: { manifest, expected_revision: expectedRevision } })
}

/** Publishes an earlier revision again. @throws {ApiError} as {@link publishRevision} */
export async function restoreRevision(id: string, revision: number, expectedRevision: number): Promise<void> {
  const params = { id, r: revision }
  await api(bundleRoutes.restore, { params, body: { expected_revision: expectedRevision } })
}

export async function updateBundle(
  id: string,
  body: InputOf<typeof bundleRoutes.update, 'body'>,
): Promise<void> {
  await api(bundleRoutes.update, { params: { id }, body })
}
