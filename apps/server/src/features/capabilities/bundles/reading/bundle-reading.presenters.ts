import type { OpenBundle } from '@dropleaf/contract'
import type { Needs } from '../../../../context.ts'
import { toInstant, toInstantOrNull } from '../../../../lib/clock.ts'
import { isFolderItem, parseManifest, type PresentFacts, presentReadManifest } from '../manifest.models.ts'
import { issueTicket } from './bundle-tickets.models.ts'
import type { OpenedBundle } from './opened-bundles.usecases.ts'

/** Presents an opened bundle with a ticket for its revision: the given ticket, or a new one. */
export const presentOpened = (
  { clock, secrets }: Needs<'clock' | 'secrets'>,
  { row, revision, facts }: OpenedBundle & { readonly facts: ReadonlyMap<string, PresentFacts> },
  ticket: string = issueTicket(secrets, row, { revision: revision.revision, nowMs: clock.nowMs() }),
): OpenBundle => ({
  slug: row.slug,
  title: revision.title,
  created_at: toInstant(row.created_at_ms),
  updated_at: toInstant(revision.created_at_ms),
  expires_at: toInstantOrNull(row.expires_at_ms),
  max_views: row.max_views,
  views: row.views,
  revision: revision.revision,
  current_revision: row.revision,
  manifest: presentReadManifest(parseManifest(revision.manifest), facts),
  ticket,
})

/** Returns the URLs of an opened bundle for programs: its text, each file, and an archive of each folder. */
export function addressesOf(
  ctx: Needs<'clock' | 'secrets'>,
  { row, revision }: OpenedBundle,
  origin: string,
): string[] {
  const { page, items } = parseManifest(revision.manifest)
  const ticket = issueTicket(ctx.secrets, row, { revision: revision.revision, nowMs: ctx.clock.nowMs() })
  const address = (route: string, query: Record<string, string>) =>
    `${origin}/api/bundles/${row.slug}/${route}?${new URLSearchParams({ ticket, ...query })}`
  return [
    ...(page ? [address('page', {})] : []),
    ...items.map((item) =>
      isFolderItem(item)
        ? address('archive', { path: item.path })
        : address('file', { path: item.path, download: '1' }),
    ),
  ]
}
