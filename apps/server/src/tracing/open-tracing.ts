import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
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
import type { StatementEvent } from '../db/statement-event.ts'
import { PRODUCT_VERSION } from '../lib/version.ts'
import { kindOfStatement } from './statements.ts'
import type { Tracing } from './tracing.ts'

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
  // A message may name a file or a person; the kind of failure does not.
  span.setAttribute('error.type', error instanceof Error ? error.name : 'error')
  span.setStatus({ code: SpanStatusCode.ERROR })
}

const SERVER_ERROR = 500
/** Longest time that a stop waits for an unreachable collector. */
const EXPORT_TIMEOUT_MS = 3000

/** Loaded only where spans go somewhere. Nothing of it is global: several may live in one process. */
export function openTracing(
  { otelEndpoint, otelHeaders, otelServiceName, otelSampler, otelSamplerArg }: Settings,
  engine: 'sqlite' | 'postgres',
): Tracing {
  const url = `${(otelEndpoint ?? '').replace(/\/+$/, '')}/v1/traces`
  const exporter = new OTLPTraceExporter({ url, headers: otelHeaders, timeoutMillis: EXPORT_TIMEOUT_MS })
  const provider = new TracerProvider({
    sampler: samplerOf(otelSampler, otelSamplerArg),
    resource: resourceFromAttributes({
      'service.name': otelServiceName,
      'service.version': PRODUCT_VERSION,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('dropleaf', PRODUCT_VERSION)
  const open = new AsyncLocalStorage<Context>()
  const propagator = new W3CTraceContextPropagator()

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

  function run<T>(span: Span, parent: Context, work: () => T): T {
    try {
      return settle(span, open.run(trace.setSpan(parent, span), work))
    } catch (error) {
      fail(span, error)
      span.end()
      throw error
    }
  }

  return {
    beginRequest(method, headers) {
      const parent =
        headers === null ? ROOT_CONTEXT : propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter)
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER }, parent)
      const context = trace.setSpan(parent, span)
      return {
        enter: (work) => open.run(context, work),
        end({ name, status, ...facts }) {
          span.updateName(name)
          span.setAttributes({ ...facts, 'http.response.status_code': status })
          if (status >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    work: (name, work) => run(tracer.startSpan(name, {}, ROOT_CONTEXT), ROOT_CONTEXT, work),
    step(name, attributes, work) {
      const parent = open.getStore()
      if (parent === undefined) return work()
      return run(tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent), parent, work)
    },
    statement({ sql, durationMs, error }: StatementEvent) {
      const parent = open.getStore()
      if (parent === undefined) return
      const { operation, table } = kindOfStatement(sql)
      const endMs = Date.now()
      const span = tracer.startSpan(
        table === null ? operation : `${operation} ${table}`,
        {
          kind: SpanKind.CLIENT,
          startTime: endMs - durationMs,
          attributes: {
            'db.system.name': engine === 'postgres' ? 'postgresql' : 'sqlite',
            'db.operation.name': operation,
            ...(table !== null && { 'db.collection.name': table }),
          },
        },
        parent,
      )
      if (error !== undefined) fail(span, error)
      span.end(endMs)
    },
    async close() {
      // An unreachable collector must not prevent a clean stop.
      await provider.shutdown().catch(() => undefined)
    },
  }
}
