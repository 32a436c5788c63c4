import type { Env, Token } from 'markdown-it'

export interface OutlineEntry {
  /** 1 to 6. */
  readonly level: number
  /** The id of the heading in the page. */
  readonly id: string
  /** Without Markdown syntax; may be empty. */
  readonly text: string
}

/** A footnote, in the order of the first references. */
export interface Note {
  readonly number: number
  readonly tokens: readonly Token[]
  mentions: number
}

/** The state that the rules of one text share. */
export interface TextEnv extends Env {
  outline: readonly OutlineEntry[]
  /** Only one table of contents is rendered; further placeholders for one are text. */
  hasContents: boolean
  /** Keys are names in lower case. */
  readonly definitions: Map<string, readonly Token[]>
  readonly notes: Map<string, Note>
}

export const newEnv = (): TextEnv => ({
  outline: [],
  hasContents: false,
  definitions: new Map(),
  notes: new Map(),
})
