import type * as z from 'zod/mini'
import type { ErrorSpec } from './errors.ts'

/**
 * Who may call a route. Without a credential: `public` anyone, `share` who knows a share, and its password if it has one,
 * `signed` who holds an address that this server signed or issued, or the token of its configuration for one purpose. With one: `admin` the administrator, `text` `file` `mount`
 * the administrator and keys with that permission, `identity` anyone who is logged in.
 */
export type Access = OpenAccess | 'identity' | 'admin' | 'text' | 'file' | 'mount'

/** What no credential opens or closes: the route itself decides by what the request knows. */
type OpenAccess = 'public' | 'share' | 'signed'

/** Whether a credential is asked for before anything else. */
export const isGuarded = (access: Access): access is Exclude<Access, OpenAccess> =>
  access !== 'public' && access !== 'share' && access !== 'signed'

/**
 * One route of the API. A success is answered as `reply` beside the envelope fields `code`, `message` and `success`; where
 * there is no `reply`, as bytes or text of the type `replyType`.
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
  /** A body that is not JSON: its media type, or `*` for any. */
  readonly bodyType?: string
  readonly reply?: z.ZodMiniType
  readonly replyType?: string
  /** The fields of the reply stand beside the envelope, as clients have long read them, and once more in `data`. */
  readonly isBare?: true
  readonly status?: 200 | 201
  /** Takes an `Idempotency-Key`: sent again with the same one, it answers what it has answered, and does nothing twice. */
  readonly isRepeatable?: true
  readonly errors: readonly ErrorSpec[]
}

/** Declares a route. One value gives server validation, client types and the API documentation. */
export function route<const Spec extends RouteSpec>(spec: Spec): Spec {
  return spec
}

/** What a caller passes for one part of a route, or `undefined` where the route has none. */
export type InputOf<Spec, Part extends 'params' | 'query' | 'body'> = Spec extends {
  readonly [K in Part]: infer Schema extends z.ZodMiniType
}
  ? z.input<Schema>
  : undefined

type MayBeAbsent<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]
/** The same input with what may be `undefined` left out where nothing is to be said. */
export type Lenient<T> = T extends object
  ? Omit<T, MayBeAbsent<T>> & { [K in MayBeAbsent<T>]?: T[K] | undefined }
  : T

/** What the server's handler sees of one part of a route. */
export type ParsedOf<Spec, Part extends 'params' | 'query' | 'body'> = Spec extends {
  readonly [K in Part]: infer Schema extends z.ZodMiniType
}
  ? z.output<Schema>
  : undefined

/** The reply of a route, without the envelope fields. */
export type ReplyOf<Spec> = Spec extends { readonly reply: infer Schema extends z.ZodMiniType }
  ? z.output<Schema>
  : undefined
