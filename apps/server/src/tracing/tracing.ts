import type { IncomingHttpHeaders } from 'node:http'
import type { StatementEvent } from '../db/statement-event.ts'

/** Attributes of a span: names from the code and numbers, never user data. */
export type SpanFacts = Readonly<Record<string, string | number>>

/** A request with an open span. */
export interface RequestSpan {
  /** Runs `work` within the span: spans that it opens are children. */
  enter(work: () => void): void
  end(facts: SpanFacts & { readonly name: string; readonly status: number }): void
}

/** Tracing of this process; off unless the configuration names a collector. */
export interface Tracing {
  /** @param headers the request headers if the client is trusted, otherwise `null`. */
  beginRequest(method: string, headers: IncomingHttpHeaders | null): RequestSpan
  /** Background work: starts a new trace. */
  work<T>(name: string, run: () => Promise<T>): Promise<T>
  /** A child of the open span, if there is one. Without a promise it ends at once. */
  step<T>(name: string, facts: SpanFacts, run: () => T): T
  /** Called after a statement. */
  readonly statement: (event: StatementEvent) => void
  /** Sends pending spans. */
  close(): Promise<void>
}

/** Runs `work` in a span if tracing is on. */
export const traced = <T>(tracing: Tracing | null, name: string, run: () => Promise<T>): Promise<T> =>
  tracing === null ? run() : tracing.work(name, run)
