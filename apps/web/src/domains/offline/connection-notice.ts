import { dismissNotice, LINE_TOPIC, type NoticeTone, notify } from '../../lib/notices.ts'

const SHOWN_MS = 3000

let shown: number | null = null

/** Shows a notice about the connection and replaces the previous one. */
export function showOfflineToast(tone: NoticeTone, text: string): void {
  if (shown !== null) dismissNotice(shown)
  shown = notify(tone, text, { topic: LINE_TOPIC, shownMs: SHOWN_MS })
}
