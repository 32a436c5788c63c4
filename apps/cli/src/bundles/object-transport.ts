import {
  bundleErrors,
  bundleObjectRoutes,
  fileErrors,
  type InputOf,
  type StoredBundleObject,
} from '@dropleaf/contract'
import type { Transport } from '@dropleaf/uploader'
import { call, type Connection } from '../client.ts'
import { hasCode } from '../errors.ts'
import { addressesOf, judge } from '../part-uploads.ts'

/** Error codes for an upload that the server has discarded or does not know. */
const OBJECT_GONE = [
  bundleErrors.object_missing.code,
  fileErrors.not_found.code,
  fileErrors.upload_expired.code,
] as const

interface ObjectTransport<Body> {
  /** The draft of the bundle. */
  readonly id: string
  /** The announcement of the object, with its number. */
  readonly object: InputOf<typeof bundleObjectRoutes.begin, 'body'>['objects'][number] & {
    readonly n: number
  }
  /** Folder of the storage for the objects; `null` for the default folder. */
  readonly folder: string | null
  readonly send: Transport<Body, StoredBundleObject>['send']
  /** @throws {CliError} if a file of the object has changed */
  readonly requireUnchanged: () => Promise<void>
}

/** Reserves, sends and joins the parts of an object of a bundle. */
export function objectTransport<Body>(
  connection: Connection,
  { id, object, folder, send, requireUnchanged }: ObjectTransport<Body>,
): Transport<Body, StoredBundleObject> {
  const { n } = object
  const params = { id, n }
  return {
    async begin(signal) {
      const body = { objects: [object], path: folder }
      const { data } = await call(connection, bundleObjectRoutes.begin, { params: { id }, body, signal })
      const [begun] = data.objects
      return {
        id: String(n),
        plan: { partSizeBytes: begun?.part_size ?? 0, partCount: begun?.part_count ?? 0 },
        addresses: addressesOf(begun?.presigned_urls ?? []),
      }
    },
    async look(_id, signal) {
      try {
        const { data } = await call(connection, bundleObjectRoutes.parts, { params, signal })
        return {
          plan: { partSizeBytes: data.part_size, partCount: data.part_count },
          parts: data.parts.map(({ partNumber, size, etag }) => ({ partNumber, etag, sizeBytes: size })),
          addresses: addressesOf(data.presigned_urls),
          isCompleted: data.is_completed,
        }
      } catch (error) {
        if (hasCode(error, ...OBJECT_GONE)) return null
        throw error
      }
    },
    send,
    async finish({ signal }) {
      await requireUnchanged()
      const { data } = await call(connection, bundleObjectRoutes.complete, {
        params,
        signal,
        isLongWork: true,
      })
      return data
    },
    async discard() {
      await call(connection, bundleObjectRoutes.remove, { params })
    },
    judge,
  }
}
