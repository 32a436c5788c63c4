import type { IncomingHttpHeaders } from 'node:http'
import type { StatementEvent } from '../db/statement-event.ts'

/** What a span says beside its name: words of the code and numbers, never what somebody has sent or stored. */
export type SpanFacts = Readonly<Record<string, string | number>>

/** A request whose span is open. */
export interface RequestSpan {
  /** Goes on with the request: what it does from here on is below its span. */
  enter(work: () => void): void
  end(facts: SpanFacts & { readonly name: string; readonly status: number }): void
}

/** Spans of this process. There is none of them unless the configuration names where they go. */
export interface Tracing {
  /** @param headers those of the request, where they come from somebody who is believed. */
  beginRequest(method: string, headers: IncomingHttpHeaders | null): RequestSpan
  /** Work that no request waits for: it is the beginning of a trace of its own. */
  work<T>(name: string, run: () => Promise<T>): Promise<T>
  /** Below the span that is open, where there is one. What is no promise ends at once. */
  step<T>(name: string, facts: SpanFacts, run: () => T): T
  /** A statement that has ended. */
  readonly statement: (event: StatementEvent) => void
  /** Sends what is left. */
  close(): Promise<void>
}

/** Runs work as it is where nothing is traced. */
export const traced = <T>(tracing: Tracing | null, name: string, run: () => Promise<T>): Promise<T> =>
  tracing === null ? run() : tracing.work(name, run)
