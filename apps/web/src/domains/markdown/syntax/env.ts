import type { Env, Token } from 'markdown-it'

export interface OutlineEntry {
  /** Heading level, 1 to 6. */
  readonly level: number
  /** ID of the heading in the page. */
  readonly id: string
  /** Text without Markdown syntax; can be empty. */
  readonly text: string
}

/** A footnote. Notes are numbered in the order of their first references. */
export interface Note {
  readonly number: number
  readonly tokens: readonly Token[]
  mentions: number
}

/** State that the rules share while one text is parsed. */
export interface TextEnv extends Env {
  outline: readonly OutlineEntry[]
  /** Whether a table of contents was rendered. Further placeholders stay text. */
  hasContents: boolean
  /** Definitions of notes by lower-case name. */
  readonly definitions: Map<string, readonly Token[]>
  readonly notes: Map<string, Note>
}

export const newEnv = (): TextEnv => ({
  outline: [],
  hasContents: false,
  definitions: new Map(),
  notes: new Map(),
})
