import { useEffect, useMemo, useState } from 'react'
import type { DiffRequest } from './diff.worker.ts'
import { compareLines, type LineDiff } from './line-diff.ts'

/**
 * Maximum total length of two texts that are compared on the main thread. For shorter texts, starting a worker takes
 * longer than comparing.
 */
const WORKER_CHARACTERS = 20_000

const isLong = ({ before, after }: DiffRequest) => before.length + after.length > WORKER_CHARACTERS

/**
 * Compares long texts in a worker, so that the page stays responsive. If the worker fails, compares them on this
 * thread.
 * @returns a function that stops the comparison
 */
function compareInWorker(texts: DiffRequest, onDone: (diff: LineDiff | null) => void): () => void {
  const compareHere = () => onDone(compareLines(texts.before, texts.after))
  try {
    const worker = new Worker(new URL('./diff.worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }: MessageEvent<LineDiff | null>) => onDone(data))
    worker.addEventListener('error', compareHere)
    worker.postMessage(texts, [])
    return () => worker.terminate()
  } catch {
    compareHere()
    return () => undefined
  }
}

/** Compares two texts; `null` if they differ too much, `undefined` while the comparison is running. */
export function useLineDiff(before: string, after: string): LineDiff | null | undefined {
  const texts = useMemo(() => ({ before, after }), [before, after])
  const short = useMemo(() => (isLong(texts) ? undefined : compareLines(texts.before, texts.after)), [texts])
  const [long, setLong] = useState<{ texts: DiffRequest; diff: LineDiff | null } | null>(null)
  useEffect(() => {
    if (!isLong(texts)) return undefined
    return compareInWorker(texts, (diff) => setLong({ texts, diff }))
  }, [texts])
  if (!isLong(texts)) return short
  return long?.texts === texts ? long.diff : undefined
}
