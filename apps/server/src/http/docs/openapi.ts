import { type ErrorSpec, isGuarded, requestErrors, type RouteSpec } from '@dropleaf/contract'
import * as z from 'zod/mini'

type JsonSchema = Record<string, unknown>

const ENVELOPE: JsonSchema = {
  type: 'object',
  required: ['code', 'message', 'success', 'data', 'error'],
  properties: {
    code: { type: 'integer', description: 'The HTTP status.' },
    message: { type: 'string' },
    success: { const: false },
    data: { type: 'null' },
    error: {
      type: 'object',
      required: ['code', 'requestId'],
      properties: {
        code: { type: 'string' },
        requestId: { type: 'string' },
        details: {
          type: 'array',
          items: { type: 'object', properties: { path: { type: 'string' }, message: { type: 'string' } } },
        },
      },
    },
  },
}

const ACCESS_TEXT: Readonly<Record<RouteSpec['access'], string>> = {
  public: 'Open to everyone.',
  share: 'Open to whoever knows the share, and its password if it has one.',
  signed: 'Open to whoever holds an address that the server signed or issued.',
  identity: 'Needs a log-in or any API key.',
  admin: 'Needs the administrator.',
  text: 'Needs the administrator or a key with text permission.',
  file: 'Needs the administrator or a key with file permission.',
  text_or_file: 'Needs the administrator or a key with text or file permission.',
  mount: 'Needs the administrator or a key with mount permission.',
}

/**
 * Returns the JSON schema of parsed values. Other accepted forms (numbers as text, `null` for absent) are not
 * documented.
 */
function schemaOf(schema: z.ZodMiniType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
  }) as JsonSchema
  return rest
}

function parametersOf(schema: z.ZodMiniType | undefined, place: 'path' | 'query'): JsonSchema[] {
  if (!schema) return []
  const { properties = {} } = schemaOf(schema) as { properties?: Record<string, JsonSchema> }
  return Object.entries(properties).map(([name, property]) => ({
    name: name === '*' ? 'key' : name,
    in: place,
    required: place === 'path',
    schema: property,
  }))
}

function bodyOf(spec: RouteSpec): JsonSchema {
  if (spec.body) return { requestBody: { content: { 'application/json': { schema: schemaOf(spec.body) } } } }
  if (spec.bodyType === undefined) return {}
  const type = spec.bodyType === '*' ? 'application/octet-stream' : spec.bodyType
  return {
    requestBody: { required: true, content: { [type]: { schema: { type: 'string', format: 'binary' } } } },
  }
}

function successOf(spec: RouteSpec): JsonSchema {
  if (!spec.reply) return { description: 'The bytes or text.', content: { [spec.replyType ?? '*/*']: {} } }
  const reply = schemaOf(spec.reply)
  const envelope = {
    type: 'object',
    properties: { code: { type: 'integer' }, message: { type: 'string' }, success: { const: true } },
  }
  const again = spec.isBare ? [{ type: 'object', properties: { data: reply } }] : []
  return {
    description: 'Success.',
    content: { 'application/json': { schema: { allOf: [envelope, reply, ...again] } } },
  }
}

function failuresOf(spec: RouteSpec): Record<string, JsonSchema> {
  const specs: readonly ErrorSpec[] = [
    ...spec.errors,
    ...(spec.params || spec.query || spec.body ? [requestErrors.invalid] : []),
  ]
  const byStatus = Map.groupBy(specs, (error) => error.status)
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      String(status),
      {
        description: [...new Set(errors.map((error) => error.code))].join(', '),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
      },
    ]),
  )
}

function operationOf(spec: RouteSpec): JsonSchema {
  return {
    summary: spec.summary,
    description: ACCESS_TEXT[spec.access],
    tags: [spec.path.split('/')[2] ?? 'api'],
    ...(!isGuarded(spec.access) ? {} : { security: [{ bearer: [] }, { apiKey: [] }, { basic: [] }] }),
    parameters: [...parametersOf(spec.params, 'path'), ...parametersOf(spec.query, 'query')],
    ...bodyOf(spec),
    responses: { [String(spec.status ?? 200)]: successOf(spec), ...failuresOf(spec) },
  }
}

const openApiPath = (path: string) => path.replace(/\*$/, '{key}').replace(/:(\w+)/g, '{$1}')

/** Builds an OpenAPI 3.1 document from the schemas that also validate requests. */
export function describeApi(routes: readonly RouteSpec[], version: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  for (const spec of routes) {
    const path = openApiPath(spec.path)
    paths[path] = { ...paths[path], [spec.method.toLowerCase()]: operationOf(spec) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Dropleaf', version, description: 'Text and file shares of a self-hosted server.' },
    components: {
      schemas: { Failure: ENVELOPE },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'Token of POST /api/admin/login.' },
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`ApiKey <key>`' },
        basic: { type: 'http', scheme: 'basic' },
      },
    },
    paths,
  }
}
