import type * as z from 'zod/mini'
import type { ErrorSpec } from './errors.ts'

/**
 * Who may call a route.
 *
 * Routes without a credential:
 * - `public`: anyone
 * - `share`: anyone who knows a share, and its password if the route shows the contents
 * - `signed`: anyone with a URL that this server has signed or issued, or with a configured token
 *
 * Routes with a credential:
 * - `admin`: the administrator
 * - `text`, `file`, `mount`: the administrator, and API keys with this permission
 * - `text_or_file`: the administrator, and API keys with one of the two permissions
 * - `identity`: all logged-in callers
 */
export type Access = OpenAccess | 'identity' | 'admin' | 'text' | 'file' | 'text_or_file' | 'mount'

/** Access without a credential. The route itself checks the request. */
type OpenAccess = 'public' | 'share' | 'signed'

/** Returns whether the credential is checked before the request is handled. */
export const isGuarded = (access: Access): access is Exclude<Access, OpenAccess> =>
  access !== 'public' && access !== 'share' && access !== 'signed'

/**
 * One route of the API. A successful reply has the fields of `reply` and the envelope fields `code`, `message` and
 * `success`. A route without `reply` returns bytes or text of the type `replyType`.
 */
export type RouteSpec = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** URL path in Fastify syntax, with `:name` parameters. */
  readonly path: string
  readonly access: Access
  /** One sentence for the API documentation. */
  readonly summary: string
  readonly params?: z.ZodMiniType
  readonly query?: z.ZodMiniType
  readonly body?: z.ZodMiniType
  /** Media type of a body that is not JSON; `*` for any. */
  readonly bodyType?: string
  readonly reply?: z.ZodMiniType
  readonly replyType?: string
  /** Whether the reply contains its fields twice: in `data`, and at the top level, where older clients read them. */
  readonly isBare?: true
  readonly status?: 200 | 201
  /**
   * Whether the route accepts an `Idempotency-Key`. A repeated request with the same key returns the first reply and
   * changes nothing.
   */
  readonly isRepeatable?: true
  readonly errors: readonly ErrorSpec[]
}

/** Declares a route. Server validation, client types and API documentation are derived from this declaration. */
export function route<const Spec extends RouteSpec>(spec: Spec): Spec {
  return spec
}

/** Input type that a caller passes for one part of a route; `undefined` if the route has no such part. */
export type InputOf<Spec, Part extends 'params' | 'query' | 'body'> = Spec extends {
  readonly [K in Part]: infer Schema extends z.ZodMiniType
}
  ? z.input<Schema>
  : undefined

type MayBeAbsent<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T]
/** Makes every property that can be `undefined` optional. */
export type Lenient<T> = T extends object
  ? Omit<T, MayBeAbsent<T>> & { [K in MayBeAbsent<T>]?: T[K] | undefined }
  : T

/** Parsed type that the server's handler receives for one part of a route. */
export type ParsedOf<Spec, Part extends 'params' | 'query' | 'body'> = Spec extends {
  readonly [K in Part]: infer Schema extends z.ZodMiniType
}
  ? z.output<Schema>
  : undefined

/** Type of a route's reply, without the envelope fields. */
export type ReplyOf<Spec> = Spec extends { readonly reply: infer Schema extends z.ZodMiniType }
  ? z.output<Schema>
  : undefined
