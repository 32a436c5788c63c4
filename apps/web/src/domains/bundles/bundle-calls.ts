import { bundleRoutes, type ManifestInput } from '@dropleaf/contract'
import { hasCode } from '../../lib/api-error.ts'
import { randomId } from '../../lib/random-id.ts'
import { api } from '../api/api-client.ts'
import { openingOf, parseMaxViews, areOptionsValid, type ShareOptions } from '../shares/share-options.ts'
import type { UploadOptions } from '../transfers/uploads/share-transports.ts'

/** Options of a whole bundle. The title is not among them, because it belongs to the contents. */
export type BundleOptions = Omit<UploadOptions, 'configId' | 'folder' | 'remark'>

/** Converts the options to the request format. Returns `null` if the form is invalid. */
export function bundleOptionsOf(options: ShareOptions): BundleOptions | null {
  const maxViews = parseMaxViews(options.maxViews)
  if (maxViews === null || !areOptionsValid(options)) return null
  return {
    slug: options.slug.trim(),
    password: options.password,
    expiresInHours: options.expiryHours,
    maxViews,
    opening: openingOf(options),
    pin: options.pin,
  }
}

/** Returns a new bundle id in the form of a UUID. */
export const newBundleId = (): string =>
  randomId().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export interface MadeBundle {
  readonly slug: string
}

const expiryOf = (hours: number) =>
  hours === 0 ? null : new Date(Date.now() + hours * 3_600_000).toISOString()

const isSame = (one: BundleOptions, other: BundleOptions) => JSON.stringify(one) === JSON.stringify(other)

/** Drops fields that a bundle does not have, such as the storage of its files. */
export const onlyBundleOptions = ({
  slug,
  password,
  expiresInHours,
  maxViews,
  opening,
  pin,
}: BundleOptions) => ({
  slug,
  password,
  expiresInHours,
  maxViews,
  opening,
  pin,
})

export const changedOptions = (
  { slug, expiresInHours, maxViews, password, opening, pin }: BundleOptions,
  made: MadeBundle,
) => ({
  slug: slug === '' ? made.slug : slug,
  password,
  expires_at: expiryOf(expiresInHours),
  max_views: maxViews,
  opening,
  pin,
})

/**
 * Returns the options that the user has filled in, and the expiry. A blank field leaves the stored option unchanged,
 * because the form cannot show the stored options after a reload.
 */
export const chosenOptions = ({ slug, expiresInHours, maxViews, password, opening, pin }: BundleOptions) => ({
  ...(slug !== '' && { slug }),
  ...(password !== '' && { password }),
  ...(maxViews > 0 && { max_views: maxViews }),
  ...(opening === 'ask' && { opening }),
  ...(pin !== '' && { pin }),
  expires_at: expiryOf(expiresInHours),
})

/** The requests that create and publish one bundle. Each request can be repeated after a failure. */
export class BundleCalls {
  readonly id: string
  #made: MadeBundle | null
  /**
   * The options that were sent last; `null` after a reload. The browser does not store the options, because they can
   * contain a password.
   */
  #sent: BundleOptions | null = null
  /**
   * Whether the server may have the bundle. True from the first request that creates it, because the response can be
   * lost.
   */
  #mayExist: boolean

  /** @param made the bundle with this id, if it was created before a reload */
  constructor(id = newBundleId(), made: MadeBundle | null = null) {
    this.id = id
    this.#made = made
    this.#mayExist = made !== null
  }

  get made(): MadeBundle | null {
    return this.#made
  }

  /** Creates the draft, or updates its options if they have changed, or after a reload. @throws {ApiError} */
  async ensure(asked: BundleOptions): Promise<MadeBundle> {
    const options = onlyBundleOptions(asked)
    const { id } = this
    if (!this.#made) {
      this.#mayExist = true
      const { data } = await api(bundleRoutes.create, {
        body: {
          id,
          slug: options.slug,
          password: options.password,
          expires_in: options.expiresInHours,
          max_views: options.maxViews,
          opening: options.opening,
          ...(options.pin !== '' && { pin: options.pin }),
        },
      })
      this.#made = { slug: data.slug }
    } else if (!this.#sent || !isSame(this.#sent, options)) {
      const { data } = await api(bundleRoutes.update, {
        params: { id },
        body: this.#sent ? changedOptions(options, this.#made) : chosenOptions(options),
      })
      this.#made = { slug: data.slug }
    }
    this.#sent = options
    return this.#made
  }

  /** Publishes the contents. @throws {ApiError} */
  async publish(manifest: ManifestInput): Promise<MadeBundle> {
    const publishAfter = async (revision: number) => {
      const body = { manifest, expected_revision: revision }
      const { data } = await api(bundleRoutes.publish, { params: { id: this.id }, body })
      this.#made = { slug: data.slug }
      return this.#made
    }
    try {
      return await publishAfter(0)
    } catch (error) {
      if (!hasCode(error, 'bundle.changed')) throw error
      // An earlier attempt has published the bundle, but its response was lost. This attempt replaces the published
      // contents.
      const { data } = await api(bundleRoutes.detail, { params: { id: this.id } })
      return publishAfter(data.revision)
    }
  }

  /** Deletes the draft with its objects. @throws {ApiError} */
  async discard(): Promise<void> {
    if (this.#mayExist) await api(bundleRoutes.remove, { body: { ids: [this.id] } })
    this.#made = null
  }
}
