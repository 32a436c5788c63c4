import type * as z from 'zod/mini'
import type { ErrorSpec } from './errors.ts'

/**
 * Who may call a route. Without a credential: `public` anyone; `share` anyone who knows a share, and its password if it
 * has one; `signed` holders of a URL that this server signed or issued, or of a configured token. With a credential:
 * `admin` the administrator; `text`, `file`, `mount` the administrator and API keys with that permission; `identity`
 * anyone logged in.
 */
export type Access = OpenAccess | 'identity' | 'admin' | 'text' | 'file' | 'mount'

/** Access without a credential: the route itself checks the request. */
type OpenAccess = 'public' | 'share' | 'signed'

/** Whether the credential is checked before anything else. */
export const isGuarded = (access: Access): access is Exclude<Access, OpenAccess> =>
  access !== 'public' && access !== 'share' && access !== 'signed'

/**
 * One route of the API. A successful reply consists of `reply` and the envelope fields `code`, `message` and `success`.
 * Without `reply` it is bytes or text of the type `replyType`.
 */
export type RouteSpec = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Fastify style, with `:name` parameters. */
  readonly path: string
  readonly access: Access
  /** One sentence for the API documentation. */
  readonly summary: string
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  /** JSON body. */
  readonly body?: z.ZodMiniType
  /** Media type of a body that is not JSON, or `*` for any. */
  readonly bodyType?: string
  readonly reply?: z.ZodMiniType
  readonly replyType?: string
  /** The reply's fields stand beside the envelope, as older clients read them, and again in `data`. */
  readonly isBare?: true
  readonly status?: 200 | 201
  /** Accepts an `Idempotency-Key`: a repeated request with the same key returns the first reply and changes nothing. */
  readonly isRepeatable?: true
  readonly errors: readonly ErrorSpec[]
}

/** Declares a route. One value defines server validation, client types and API documentation. */
export function route<const Spec extends RouteSpec>(spec: Spec): Spec {
  return spec
}

/** Input of a caller for one part of a route; `undefined` if the route has no such part. */
export type InputOf<Spec, Part extends 'params' | 'query' | 'body'> = Spec extends {
  readonly [K in Part]: infer Schema extends z.ZodMiniType
}
  ? z.input<Schema>
  : undefined

type MayBeAbsent<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]
/** Makes every property that may be `undefined` optional. */
export type Lenient<T> = T extends object
  ? Omit<T, MayBeAbsent<T>> & { [K in MayBeAbsent<T>]?: T[K] | undefined }
  : T

/** What the server's handler receives for one part of a route. */
export type ParsedOf<Spec, Part extends 'params' | 'query' | 'body'> = Spec extends {
  readonly [K in Part]: infer Schema extends z.ZodMiniType
}
  ? z.output<Schema>
  : undefined

/** The reply of a route, without the envelope fields. */
export type ReplyOf<Spec> = Spec extends { readonly reply: infer Schema extends z.ZodMiniType }
  ? z.output<Schema>
  : undefined
