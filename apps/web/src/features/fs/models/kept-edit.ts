import type { LineEnd } from './text-form.ts'

/** What was typed into a file and is not saved, as it outlives the page: the session may end in the middle. */
export interface KeptEdit {
  readonly text: string
  /** Of the file that it was typed into. */
  readonly etag: string
  readonly lineEnd: LineEnd
}

export const keptEditKey = (path: string): string => `dropleaf-edit:${path}`

export function isKeptEdit(value: unknown): value is KeptEdit {
  const kept = value as Partial<KeptEdit> | null
  return (
    typeof kept?.text === 'string' &&
    typeof kept.etag === 'string' &&
    ['\n', '\r\n'].includes(String(kept.lineEnd))
  )
}
