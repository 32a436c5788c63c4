import { AsyncLocalStorage } from 'node:async_hooks'
import type { IncomingHttpHeaders } from 'node:http'
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Config, TraceSampler } from '../config/config.ts'
import type { Engine } from '../db/database.ts'
import type { StatementEvent } from '../db/statement-event.ts'
import { PRODUCT_VERSION } from '../lib/version.ts'
import { kindOfStatement } from './statements.ts'
import type { RequestSpan, SpanFacts, Tracing } from './tracing.ts'

type Settings = Pick<
  Config,
  'otelEndpoint' | 'otelHeaders' | 'otelServiceName' | 'otelSampler' | 'otelSamplerArg'
>

function samplerOf(name: TraceSampler, ratio: number): Sampler {
  const parentBased = (root: Sampler) => new ParentBasedSampler({ root })
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio)
    case 'parentbased_always_on':
      return parentBased(new AlwaysOnSampler())
    case 'parentbased_always_off':
      return parentBased(new AlwaysOffSampler())
    case 'parentbased_traceidratio':
      return parentBased(new TraceIdRatioBasedSampler(ratio))
  }
}

function fail(span: Span, error: unknown): void {
  // Records the name of the error. Its message could contain the name of a file or person.
  span.setAttribute('error.type', error instanceof Error ? error.name : 'error')
  span.setStatus({ code: SpanStatusCode.ERROR })
}

const SERVER_ERROR = 500
/** Maximum time that a stop waits for an unreachable collector. */
const EXPORT_TIMEOUT_MS = 3000

/** Ends a span when its work ends. */
function settle<T>(span: Span, result: T): T {
  if (!(result instanceof Promise)) {
    span.end()
    return result
  }
  return result.then(
    (value: unknown) => {
      span.end()
      return value
    },
    (error: unknown) => {
      fail(span, error)
      span.end()
      throw error
    },
  ) as T
}

function createProvider(settings: Settings): TracerProvider {
  const url = `${(settings.otelEndpoint ?? '').replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({
    url,
    headers: settings.otelHeaders,
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  return new TracerProvider({
    sampler: samplerOf(settings.otelSampler, settings.otelSamplerArg),
    resource: resourceFromAttributes({
      'service.name': settings.otelServiceName,
      'service.version': PRODUCT_VERSION,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
}

/**
 * This class is loaded only if tracing is configured. It has no global state, so that one process can have several
 * instances.
 */
export class OpenTracing implements Tracing {
  readonly #provider: TracerProvider
  readonly #tracer: Tracer
  readonly #system: 'sqlite' | 'postgresql'
  readonly #open = new AsyncLocalStorage<Context>()
  readonly #propagator = new W3CTraceContextPropagator()

  constructor(settings: Settings, engine: Engine) {
    this.#provider = createProvider(settings)
    this.#tracer = this.#provider.getTracer('dropleaf', PRODUCT_VERSION)
    this.#system = engine === 'postgres' ? 'postgresql' : 'sqlite'
  }

  beginRequest(method: string, headers: IncomingHttpHeaders | null): RequestSpan {
    const parent =
      headers === null ? ROOT_CONTEXT : this.#propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
    const span = this.#tracer.startSpan(method, { kind: SpanKind.SERVER }, parent)
    const context = trace.setSpan(parent, span)
    return {
      enter: (work) => this.#open.run(context, work),
      end({ name, status, ...facts }) {
        span.updateName(name)
        span.setAttributes({ ...facts, 'http.response.status_code': status })
        if (status >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }

  work<T>(name: string, work: () => Promise<T>): Promise<T> {
    return this.#run(this.#tracer.startSpan(name, {}, ROOT_CONTEXT), ROOT_CONTEXT, work)
  }

  step<T>(name: string, attributes: SpanFacts, work: () => T): T {
    const parent = this.#open.getStore()
    if (parent === undefined) return work()
    const span = this.#tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent)
    return this.#run(span, parent, work)
  }

  readonly statement = ({ sql, durationMs, error }: StatementEvent): void => {
    const parent = this.#open.getStore()
    if (parent === undefined) return
    const { operation, table } = kindOfStatement(sql)
    const endMs = Date.now()
    const span = this.#tracer.startSpan(
      table === null ? operation : `${operation} ${table}`,
      {
        kind: SpanKind.CLIENT,
        startTime: endMs - durationMs,
        attributes: {
          'db.system.name': this.#system,
          'db.operation.name': operation,
          ...(table !== null && { 'db.collection.name': table }),
        },
      },
      parent,
    )
    if (error !== undefined) fail(span, error)
    span.end(endMs)
  }

  async close(): Promise<void> {
    // Ignores the failure, because an unreachable collector must not prevent a clean exit.
    await this.#provider.shutdown().catch(() => undefined)
  }

  #run<T>(span: Span, parent: Context, work: () => T): T {
    try {
      return settle(span, this.#open.run(trace.setSpan(parent, span), work))
    } catch (error) {
      fail(span, error)
      span.end()
      throw error
    }
  }
}
