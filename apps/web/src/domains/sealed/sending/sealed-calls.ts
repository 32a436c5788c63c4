import { type BundleDetail, bundleRoutes, SEAL_VERSION } from '@dropleaf/contract'
import {
  type Bytes,
  createShare,
  fromBase64url,
  type Manifest,
  openManifest,
  parseLinkKey,
  sealedText,
  sealManifest,
  type ShareFacts,
  type ShareSalts,
  type Sealed,
} from '@dropleaf/seal'
import { hasCode } from '../../../lib/api-error.ts'
import { api } from '../../api/api-client.ts'
import type { BundleOptions, MadeBundle } from '../../bundles/bundle-calls.ts'
import { changedOptions, chosenOptions, newBundleId, onlyBundleOptions } from '../../bundles/bundle-calls.ts'
import { derivePassword } from '../kdf/derive-password.ts'

/** Keys of the bundle. Only the salts leave the device. */
export interface SealedShare {
  readonly linkKey: string
  readonly manifestKey: CryptoKey
  readonly salts: ShareSalts
}

/** Converts base64url to base64. */
const toBase64 = (text: string) =>
  text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .padEnd(Math.ceil(text.length / 4) * 4, '=')

/** Converts base64 to base64url. */
const toBase64url = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')

/** Returns the contents of a manifest as a text. Manifests with the same contents have the same text. */
const contentsOf = ({ v, title, page, objects, items }: Manifest) =>
  JSON.stringify({ v, title, page, objects, items })

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other)

/** The requests that create and publish one encrypted bundle. Each request can be repeated after a failure. */
export class SealedCalls {
  readonly id: string
  #made: MadeBundle | null
  #share: SealedShare | null
  #facts: Sealed<ShareFacts> | null = null
  /**
   * The password from which the keys are derived. It is never sent. Empty without a password; `null` before the keys
   * are created, and after a reload.
   */
  #password: string | null = null
  /** The options that were sent last; `null` after a reload. */
  #sent: BundleOptions | null = null
  /** The manifest that was sent last, so that a repeated request sends the same bytes. */
  #sealed: { readonly contents: string; readonly revision: number; readonly text: string } | null = null

  /** @param before the bundle with this id, if it was created before a reload */
  constructor(id = newBundleId(), before: { slug: string; share: SealedShare } | null = null) {
    this.id = id
    this.#made = before && { slug: before.slug }
    this.#share = before && before.share
  }

  get made(): MadeBundle | null {
    return this.#made
  }

  get share(): SealedShare | null {
    return this.#share
  }

  get secret(): Bytes | null {
    return this.#share && parseLinkKey(this.#share.linkKey)
  }

  /** Whether the keys were derived from another password than the one in the form. */
  hasOtherPassword({ password }: BundleOptions): boolean {
    if (!this.#share) return false
    // After a reload, the field is blank even if the bundle has a password.
    return this.#password === null ? password !== '' : password !== this.#password
  }

  /** Creates the draft, or updates its options if they have changed, or after a reload. @throws {ApiError} */
  async ensure(asked: BundleOptions): Promise<void> {
    const { id } = this
    const options = onlyBundleOptions(asked)
    if (!this.#made) {
      this.#made = await this.#create(options)
    } else if (!this.#sent || !isSame(this.#sent, options)) {
      const { password: _password, ...body } = this.#sent
        ? changedOptions(options, this.#made)
        : { password: null, ...chosenOptions(options) }
      const { data } = await api(bundleRoutes.update, { params: { id }, body })
      this.#made = { slug: data.slug }
    }
    this.#sent = options
  }

  /** Creates the keys only once, because a repeated request must contain the same keys. */
  async #makeShare(password: string): Promise<Sealed<ShareFacts>> {
    if (this.#facts) return this.#facts
    const { keys, facts, linkKey } = await createShare({ password: password || null, derivePassword })
    const { salt, kdf } = facts
    this.#share = { linkKey, manifestKey: keys.manifestKey, salts: { salt, kdf } }
    this.#password = password
    this.#facts = facts
    return facts
  }

  async #create(
    { slug, password, expiresInHours, maxViews, opening, pin }: BundleOptions,
    manifest?: string,
  ) {
    const facts = await this.#makeShare(password)
    const { data } = await api(bundleRoutes.create, {
      body: {
        id: this.id,
        slug,
        expires_in: expiresInHours,
        max_views: maxViews,
        opening,
        ...(pin !== '' && { pin }),
        ...sealFields(facts),
        ...(manifest !== undefined && { manifest }),
      },
    })
    return { slug: data.slug }
  }

  /**
   * Creates and publishes a bundle without objects in a single request, which can wait in the queue.
   * @throws {ApiError} of kind `queued` if the request waits
   */
  async createPublished(asked: BundleOptions, manifest: Manifest): Promise<void> {
    const options = onlyBundleOptions(asked)
    await this.#makeShare(options.password)
    const share = this.#share
    if (!share) throw new Error('The keys of the bundle are missing.')
    try {
      this.#made = await this.#create(options, await this.#seal(manifest, share, 1))
      this.#sent = options
    } catch (error) {
      if (!hasCode(error, 'bundle.changed', 'bundle.id_taken')) throw error
      // An earlier attempt created the bundle although its response was lost, and the user has changed it since.
      const { data } = await api(bundleRoutes.detail, { params: { id: this.id } })
      this.#made = { slug: data.slug }
      await this.ensure(asked)
      await this.publish(manifest)
    }
  }

  async #seal(manifest: Manifest, { manifestKey, salts }: SealedShare, revision: number): Promise<string> {
    const contents = contentsOf(manifest)
    if (this.#sealed?.contents === contents && this.#sealed.revision === revision) return this.#sealed.text
    const place = { bundleId: this.id, revision, salts }
    const text = toBase64(sealedText(await sealManifest({ manifest, manifestKey, place })))
    this.#sealed = { contents, revision, text }
    return text
  }

  /** Publishes the contents. @throws {ApiError | SealError} */
  async publish(manifest: Manifest): Promise<void> {
    const share = this.#share
    if (!share) throw new Error('The bundle was not created.')
    try {
      await this.#publishAfter(manifest, share, 0)
    } catch (error) {
      if (!hasCode(error, 'bundle.changed')) throw error
      // An earlier attempt may have succeeded although its response was lost.
      const { data } = await api(bundleRoutes.detail, { params: { id: this.id } })
      if (await this.#isPublished(manifest, share, data)) this.#made = { slug: data.slug }
      else await this.#publishAfter(manifest, share, data.revision)
    }
  }

  /**
   * Publishes an edit of a revision.
   * @throws {ApiError} `bundle.changed` if another edit was published meanwhile
   * @throws {SealError}
   */
  async publishEdit(manifest: Manifest, before: number): Promise<void> {
    const share = this.#share
    if (!share) throw new Error('The keys of the bundle are missing.')
    try {
      await this.#publishAfter(manifest, share, before)
    } catch (error) {
      if (!hasCode(error, 'bundle.changed')) throw error
      const { data } = await api(bundleRoutes.detail, { params: { id: this.id } })
      // An earlier attempt may have published the edit although its response was lost.
      const isMine = data.revision === before + 1 && (await this.#isPublished(manifest, share, data))
      if (!isMine) throw error
    }
  }

  async #publishAfter(manifest: Manifest, share: SealedShare, before: number): Promise<void> {
    const text = await this.#seal(manifest, share, before + 1)
    const body = { manifest: text, objects: manifest.objects.map(({ n }) => n), expected_revision: before }
    const { data } = await api(bundleRoutes.publish, { params: { id: this.id }, body })
    this.#made = { slug: data.slug }
  }

  /** Whether the server already has these contents. */
  async #isPublished(
    manifest: Manifest,
    { manifestKey, salts }: SealedShare,
    { sealed_manifest: text, revision }: Pick<BundleDetail, 'sealed_manifest' | 'revision'>,
  ): Promise<boolean> {
    const sealed = text === null ? null : fromBase64url(toBase64url(text))
    if (!sealed) return false
    try {
      const place = { bundleId: this.id, revision, salts }
      return contentsOf(await openManifest({ sealed, manifestKey, place })) === contentsOf(manifest)
    } catch {
      return false
    }
  }

  /** Deletes the draft with its objects. @throws {ApiError} */
  async discard(): Promise<void> {
    // An attempt may have created the bundle although its response was lost.
    if (this.#share) await api(bundleRoutes.remove, { body: { ids: [this.id] } })
    this.#made = null
  }
}

/** Returns the facts about the keys that the server stores. */
const sealFields = ({ salt, kdf, verifier }: Sealed<ShareFacts>) => ({
  sealed: SEAL_VERSION as typeof SEAL_VERSION,
  salt,
  kdf,
  verifier,
})
