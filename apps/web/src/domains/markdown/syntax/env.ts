import type { Env, Token } from 'markdown-it'

export interface OutlineEntry {
  /** 1 to 6. */
  readonly level: number
  /** Of the heading in the page, as in `document.getElementById`. */
  readonly id: string
  /** Without marks; may be empty. */
  readonly text: string
}

/** A note at the foot, in the order of the first mention. */
export interface Note {
  readonly number: number
  readonly tokens: readonly Token[]
  mentions: number
}

/** What the rules of one text share. */
export interface TextEnv extends Env {
  outline: readonly OutlineEntry[]
  /** There is one table of contents; further marks are text. */
  hasContents: boolean
  /** By their names in lower case. */
  readonly definitions: Map<string, readonly Token[]>
  readonly notes: Map<string, Note>
}

export const newEnv = (): TextEnv => ({
  outline: [],
  hasContents: false,
  definitions: new Map(),
  notes: new Map(),
})
