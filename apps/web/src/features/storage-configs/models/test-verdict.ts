import type { StorageFinding, StorageTestResult } from '@dropleaf/contract'

export type Verdict = 'works' | 'partly' | 'fails'

/** Whether a finding is an error that the test has not fixed. */
const isOpen = ({ severity, fixed }: StorageFinding) => severity === 'error' && fixed !== true

export function verdictOf({ read, write, cors, frontendSim, doctor }: StorageTestResult): Verdict {
  const isWhole = [read, write, cors, frontendSim].every(({ success }) => success)
  if (isWhole && !doctor.findings.some(isOpen)) return 'works'
  return read.success ? 'partly' : 'fails'
}

export interface Check {
  readonly id: 'read' | 'write' | 'cors' | 'upload'
  readonly state: 'done' | 'failed' | 'untried'
  /** A single line of text. */
  readonly text: string
  /** Duration in milliseconds; `null` if not measured. */
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

/** Returns the steps of a test, in order. A step can be untried after the failure of an earlier step. */
export const checksOf = ({ read, write, cors, frontendSim }: StorageTestResult): Check[] => [
  checkOf('read', read),
  checkOf('write', write, write.uploadTime),
  checkOf('cors', cors),
  checkOf('upload', frontendSim, frontendSim.totalDuration),
]

/** Result of a transfer between this browser and the storage. */
export type Transfer =
  | { readonly kind: 'done'; readonly tookMs: number; readonly bytesPerSecond: number }
  /** The request failed without a response, for example because of CORS. Browsers give no reason. */
  | { readonly kind: 'blocked' }
  /** Mixed content: an HTTPS page cannot request HTTP. */
  | { readonly kind: 'mixed' }
  | { readonly kind: 'refused'; readonly status: number }
  /** The downloaded bytes differ from the uploaded bytes. */
  | { readonly kind: 'changed' }

export interface BrowserTest {
  readonly upload: Transfer
  /** `null` if there was nothing to download. */
  readonly download: Transfer | null
  /** Whether CORS exposes the ETag, which multipart uploads need. */
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
