import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Bindings, ChildLoggerOptions } from 'pino'

/**
 * A logger that adds the request's id to each line. Creates its child logger at the first line, because most requests
 * log nothing.
 */
class RequestLogger implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger
  readonly #bindings: Bindings
  readonly #options: ChildLoggerOptions
  #made: FastifyBaseLogger | undefined

  constructor(parent: FastifyBaseLogger, bindings: Bindings, options: ChildLoggerOptions) {
    this.#parent = parent
    this.#bindings = bindings
    this.#options = options
  }

  #write(level: Exclude<keyof FastifyBaseLogger, 'level' | 'child'>, args: unknown[]): void {
    this.#made ??= this.#parent.child(this.#bindings, this.#options)
    Reflect.apply(this.#made[level], this.#made, args)
  }

  get level(): string {
    return this.#parent.level
  }

  fatal(...args: unknown[]): void {
    this.#write('fatal', args)
  }

  error(...args: unknown[]): void {
    this.#write('error', args)
  }

  warn(...args: unknown[]): void {
    this.#write('warn', args)
  }

  info(...args: unknown[]): void {
    this.#write('info', args)
  }

  debug(...args: unknown[]): void {
    this.#write('debug', args)
  }

  trace(...args: unknown[]): void {
    this.#write('trace', args)
  }

  silent(...args: unknown[]): void {
    this.#write('silent', args)
  }

  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger {
    return this.#parent.child({ ...this.#bindings, ...bindings }, options)
  }
}

export const requestLogger = (
  log: FastifyBaseLogger,
  bindings: Bindings,
  options: ChildLoggerOptions,
): FastifyBaseLogger => new RequestLogger(log, bindings, options)

/**
 * Logs one line per request, without headers and without the query, which can contain a password. `cut` means that the
 * client had disconnected. Also adds `X-Request-Id` and `X-Content-Type-Options` to every response.
 */
export function installRequestLog(app: FastifyInstance, log: FastifyBaseLogger): void {
  // Turns off redaction: none of these fields is a secret, and redaction would take longer than writing the line.
  const lines = log.child({}, { redact: [] })
  app.atEnd((request, reply, { isCut }) => {
    const { id: reqId, method, url } = request
    const path = url.split('?')[0]
    const ms = Math.round(reply.elapsedTime)
    lines.info({ reqId, method, path, status: reply.statusCode, ms, ...(isCut && { cut: true }) }, 'request')
  })
  app.addHook('onSend', (request, reply, _payload, done) => {
    reply.header('x-request-id', request.id)
    if (!reply.hasHeader('x-content-type-options')) reply.header('x-content-type-options', 'nosniff')
    done()
  })
}
