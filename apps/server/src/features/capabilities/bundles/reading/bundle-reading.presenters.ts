import type { OpenBundle, OpenSealedBundle } from '@dropleaf/contract'
import type { Needs } from '../../../../context.ts'
import { toInstant, toInstantOrNull } from '../../../../lib/clock.ts'
import { isFolderItem, parseManifest, type PresentFacts, presentReadManifest } from '../manifest.models.ts'
import { presentSeal } from '../sealed/seal.models.ts'
import { issueTicket } from './bundle-tickets.models.ts'
import type { OpenedBundle } from './opened-bundles.usecases.ts'

type Opened = OpenedBundle & { readonly facts: ReadonlyMap<string, PresentFacts> }

/** Presents an opened bundle with a ticket for its revision: the given ticket, or a new ticket. */
export const presentOpened = (
  { clock, secrets }: Needs<'clock' | 'secrets'>,
  { row, revision, facts }: Opened,
  ticket: string = issueTicket(secrets, row, { revision: revision.revision, nowMs: clock.nowMs() }),
): OpenBundle | OpenSealedBundle => ({
  slug: row.slug,
  created_at: toInstant(row.created_at_ms),
  updated_at: toInstant(revision.created_at_ms),
  expires_at: toInstantOrNull(row.expires_at_ms),
  max_views: row.max_views,
  views: row.views,
  revision: revision.revision,
  current_revision: row.revision,
  ticket,
  ...presentContents({ row, revision, facts }),
})

function presentContents({ row, revision, facts }: Opened) {
  const { sealed, salt, kdf } = presentSeal(row)
  if (sealed !== null && salt !== null) return { sealed, id: row.id, salt, kdf, manifest: revision.manifest }
  const manifest = presentReadManifest(parseManifest(revision.manifest), facts)
  return { sealed: null, title: revision.title, manifest }
}

/**
 * Returns the URLs of an opened bundle for programs: its page, each file, and an archive of each live folder.
 * @throws {AppError} `bundle.is_sealed`
 */
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
