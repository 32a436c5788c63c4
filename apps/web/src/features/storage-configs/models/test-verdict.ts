import type { StorageFinding, StorageTestResult } from '@dropleaf/contract'

export type Verdict = 'works' | 'partly' | 'fails'

/** A problem that remains after the repair. */
const isOpen = ({ severity, fixed }: StorageFinding) => severity === 'error' && fixed !== true

export function verdictOf({ read, write, cors, frontendSim, doctor }: StorageTestResult): Verdict {
  const isWhole = [read, write, cors, frontendSim].every(({ success }) => success)
  if (isWhole && !doctor.findings.some(isOpen)) return 'works'
  return read.success ? 'partly' : 'fails'
}

export interface Check {
  readonly id: 'read' | 'write' | 'cors' | 'upload'
  readonly state: 'done' | 'failed' | 'untried'
  /** One line. */
  readonly text: string
  /** Milliseconds, where it was measured. */
  readonly tookMs: number | null
}

const firstLine = (text: string) => text.split('\n')[0] ?? ''

function checkOf(
  id: Check['id'],
  step: { success: boolean; error: string | null; note: string },
  tookMs: number | null = null,
): Check {
  const state = step.success ? 'done' : step.error === null || step.error === '' ? 'untried' : 'failed'
  return { id, state, text: firstLine(step.error || step.note), tookMs: step.success ? tookMs : null }
}

/** The steps of a test, in the order in which each needs the one before. */
export const checksOf = ({ read, write, cors, frontendSim }: StorageTestResult): Check[] => [
  checkOf('read', read),
  checkOf('write', write, write.uploadTime),
  checkOf('cors', cors),
  checkOf('upload', frontendSim, frontendSim.totalDuration),
]

/** What happened to one transfer between this browser and the storage. */
export type Transfer =
  | { readonly kind: 'done'; readonly tookMs: number; readonly bytesPerSecond: number }
  /** The browser only reports that it got no response. */
  | { readonly kind: 'blocked' }
  /** A page with https may not speak to an address without. */
  | { readonly kind: 'mixed' }
  | { readonly kind: 'refused'; readonly status: number }
  /** Other bytes came back. */
  | { readonly kind: 'changed' }

export interface BrowserTest {
  readonly upload: Transfer
  /** `null` when nothing was there to be fetched. */
  readonly download: Transfer | null
  /** Whether the page could read the ETag, which large uploads are put together by. */
  readonly hasEtag: boolean
}

export function browserVerdictOf({ upload, download, hasEtag }: BrowserTest): Verdict {
  if (upload.kind !== 'done') return 'fails'
  return download?.kind === 'done' && hasEtag ? 'works' : 'partly'
}

export const doneIn = (sizeBytes: number, tookMs: number): Transfer => ({
  kind: 'done',
  tookMs: Math.max(1, Math.round(tookMs)),
  bytesPerSecond: Math.round((sizeBytes * 1000) / Math.max(1, tookMs)),
})
