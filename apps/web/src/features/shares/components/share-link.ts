import type { ListedShare } from '@dropleaf/contract'
import { bundleAddress } from '../../../domains/bundles/bundle-address.ts'
import { shareAddress } from '../../../domains/shares/share-address.ts'
import { fileShareUrl } from '../../../domains/transfers/uploads/file-share-url.ts'
import { paths } from '../../../lib/paths.ts'

const PATH_OF = { text: paths.paste, file: paths.file, bundle: paths.bundle } as const
const ADDRESS_OF = { text: shareAddress, file: fileShareUrl, bundle: bundleAddress } as const

type Linked = Pick<ListedShare, 'kind' | 'slug'>

/** Returns the path of a share in the app. */
export const sharePath = ({ kind, slug }: Linked): string => PATH_OF[kind](slug)

/** Returns the absolute URL of a share, for copying. */
export const addressOf = ({ kind, slug }: Linked): string => ADDRESS_OF[kind](slug)

export const nameOf = ({ title, slug }: Pick<ListedShare, 'title' | 'slug'>): string => title ?? `/${slug}`
