import { type Logger, pino } from 'pino'

const BUFFER_BYTES = 4096
const FLUSH_MS = 100
/** Kept while they cannot be written, such as to a file on a full disk; what comes beyond that is lost. */
const WAITING_MAX_BYTES = 4 * 1024 * 1024

/** Lines go out together, a moment after they are written: to wake a reader for each costs as much as a small request. */
export function openLog(level: string): Logger {
  const destination = pino.destination({
    minLength: BUFFER_BYTES,
    maxLength: WAITING_MAX_BYTES,
    periodicFlush: FLUSH_MS,
  })
  // A server works without a log: its terminal may be closed, its disk full. Pending lines are retried with later ones,
  // but not at the exit, where that would never end.
  destination.on('error', () => {
    destination.flushSync = () => undefined
  })
  // Whether anybody still reads is known only after a write: without a reader, the last one, at the exit, would be
  // retried forever.
  process.once('beforeExit', () => destination.flush())
  const redact = ['req.headers.authorization', 'password', 'token', '*.password', '*.token']
  return pino({ level, redact }, destination)
}

/** Resolves once what the log has gathered is out, or cannot be. */
export async function flushed(log: Logger): Promise<void> {
  // A write that is on its way ends the first wait, and has not all of it.
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => log.flush(() => resolve()))
}
