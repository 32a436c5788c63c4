import type { IncomingHttpHeaders } from 'node:http'
import type { StatementEvent } from '../db/statement-event.ts'

/** Attributes of a span: names from the code and numbers, never user data. */
export type SpanFacts = Readonly<Record<string, string | number>>

/** A request with an open span. */
export interface RequestSpan {
  /** Runs `work` within the span, so that spans opened by `work` become children. */
  enter(work: () => void): void
  end(facts: SpanFacts & { readonly name: string; readonly status: number }): void
}

/** Tracing of this process. Tracing is off if the configuration names no collector, or turns tracing off. */
export interface Tracing {
  /** @param headers the request headers if the client is trusted, otherwise `null`. */
  beginRequest(method: string, headers: IncomingHttpHeaders | null): RequestSpan
  /** Runs background work in a new trace. */
  work<T>(name: string, run: () => Promise<T>): Promise<T>
  /**
   * Runs work in a child of the open span, if there is one. If the result is not a promise, the child ends immediately.
   */
  step<T>(name: string, facts: SpanFacts, run: () => T): T
  readonly statement: (event: StatementEvent) => void
  close(): Promise<void>
}

/** Runs `work` in a span if tracing is on. */
export const traced = <T>(tracing: Tracing | null, name: string, run: () => Promise<T>): Promise<T> =>
  tracing === null ? run() : tracing.work(name, run)
