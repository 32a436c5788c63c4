import type { ParsedOf, ReplyOf, RouteSpec } from '@dropleaf/contract'
import type { FastifyReply, FastifyRequest, FastifySchemaCompiler, RouteOptions } from 'fastify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import * as z from 'zod/mini'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The contract's entry of this route, if there is one. */
    contract?: RouteSpec
  }
}

/** The parts of the request, parsed by the contract's schemas. */
export interface Call<Spec> {
  readonly params: ParsedOf<Spec, 'params'>
  readonly query: ParsedOf<Spec, 'query'>
  readonly body: ParsedOf<Spec, 'body'>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * Result of a handler. A route with a schema returns a reply of the contract, whose `message` replaces the default
 * message. Streams, and responses that are too long for a schema, are sent through `reply`, which the handler returns.
 * Such long responses must already contain the envelope.
 */
type HandlerResult<Spec> = Spec extends { readonly reply: z.ZodMiniType }
  ? (ReplyOf<Spec> & { readonly message?: string }) | FastifyReply
  : FastifyReply | undefined

export type Handler<Spec> = (call: Call<Spec>) => Promise<HandlerResult<Spec>>

export interface AdapterOptions {
  /** Size limit of a JSON body; by default 1 MiB with a credential, 16 KiB without. */
  readonly bodyLimit?: number
  /** Whether the route also handles HEAD. The handler checks `request.method`. */
  readonly withHead?: boolean
}

/** Combines a route of the contract and its handler for Fastify; `access.ts` checks the callers. */
export function fromContract<const Spec extends RouteSpec>(
  spec: Spec,
  handler: Handler<Spec>,
  options: AdapterOptions = {},
): RouteOptions {
  return {
    method: options.withHead ? [spec.method, 'HEAD'] : spec.method,
    url: spec.path,
    config: { contract: spec },
    ...(options.bodyLimit === undefined ? {} : { bodyLimit: options.bodyLimit }),
    schema: {
      ...(spec.params ? { params: spec.params } : {}),
      ...(spec.query ? { querystring: spec.query } : {}),
      ...(spec.body ? { body: spec.body } : {}),
    },
    async handler(request, reply) {
      const answer = () =>
        handler({
          params: request.params as ParsedOf<Spec, 'params'>,
          query: request.query as ParsedOf<Spec, 'query'>,
          body: request.body as ParsedOf<Spec, 'body'>,
          request,
          reply,
        })
      if (spec.isRepeatable && spec.reply) {
        const spoken = { ...spec, reply: spec.reply }
        const { status, body, isRepeated } = await this.once(request, async () => {
          const code = spec.status ?? 200
          return { status: code, body: presentReply(spoken, code, (await answer()) as object) }
        })
        if (isRepeated) reply.header('idempotency-replayed', 'true')
        return reply.code(status).send(body)
      }
      const result = await answer()
      // Fastify awaits a returned reply, which then resolves to `undefined`.
      if (!spec.reply || result === undefined) return result
      // A handler can set 202, which means that the work continues after the response.
      const status = reply.statusCode === 202 ? 202 : (spec.status ?? 200)
      reply.code(status)
      return presentReply({ ...spec, reply: spec.reply }, status, result as object & { message?: string })
    },
  }
}

/** Removes undeclared fields, so that a new column cannot leak, and adds the envelope. */
function presentReply(
  { reply, isBare }: { readonly reply: z.ZodMiniType; readonly isBare?: true },
  status: number,
  result: object & { message?: string },
): object {
  const parsed = z.safeParse(reply, result)
  if (!parsed.success) throw new Error('A reply breaks its contract.', { cause: parsed.error })
  const fields = parsed.data as object
  const envelope = { code: status, message: result.message ?? 'OK', success: true }
  return { ...envelope, ...fields, ...(isBare ? { data: fields } : {}) }
}

/** A request that violates its schema. The error handler builds the envelope. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError'
  readonly issues: readonly z.core.$ZodIssue[]
  readonly part: string
  constructor(part: string, issues: readonly z.core.$ZodIssue[]) {
    super('The request breaks its schema.')
    this.part = part
    this.issues = issues
  }
}

export const validatorCompiler: FastifySchemaCompiler<z.ZodMiniType> = ({ schema, httpPart }) => {
  return (data: unknown) => {
    // Adds the input to the error, because the message depends on the language and is chosen later.
    const result = z.safeParse(schema, data, { reportInput: true })
    return result.success
      ? { value: result.data }
      : { error: new InvalidRequestError(httpPart ?? 'body', result.error.issues) }
  }
}

export const serializerCompiler: FastifySerializerCompiler<unknown> = () => (data) => JSON.stringify(data)
