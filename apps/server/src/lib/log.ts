import { type Logger, pino } from 'pino'

const BUFFER_BYTES = 4096
const FLUSH_MS = 100
/** Buffer size for lines that cannot be written, for example on a full disk. Further lines are lost. */
const WAITING_MAX_BYTES = 4 * 1024 * 1024

/**
 * Opens a log that writes lines in batches with a short delay. Waking a reader for each line would cost as much as a
 * small request.
 */
export function openLog(level: string): Logger {
  const destination = pino.destination({
    minLength: BUFFER_BYTES,
    maxLength: WAITING_MAX_BYTES,
    periodicFlush: FLUSH_MS,
  })
  // The server works without a log, for example if the terminal is closed or the disk is full. Pending lines are
  // retried with later lines. They are not retried at the exit, because the retries would never end.
  destination.on('error', () => {
    destination.flushSync = () => undefined
  })
  // Only a write shows whether the log still has a reader. Without a reader, the last write at the exit would be
  // retried forever.
  process.once('beforeExit', () => destination.flush())
  const redact = ['req.headers.authorization', 'password', 'token', '*.password', '*.token']
  return pino({ level, redact }, destination)
}

/** Resolves when the buffered lines are written, or when they cannot be written. */
export async function flushed(log: Logger): Promise<void> {
  // Flushes twice, because the first wait can end with a write that was already running and does not contain the last
  // lines.
  for (let turn = 0; turn < 2; turn += 1) await new Promise<void>((resolve) => log.flush(() => resolve()))
}
