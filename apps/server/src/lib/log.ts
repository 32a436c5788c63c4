import { type Logger, pino } from 'pino'

const BUFFER_BYTES = 4096
const FLUSH_MS = 100

/** Lines go out together, a moment after they are written: to wake a reader for each costs as much as a small request. */
export function openLog(level: string): Logger {
  const destination = pino.destination({ minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS })
  // Whether anybody still reads is known only after a write: the last one, at the exit, is tried for ever where nobody does.
  process.once('beforeExit', () => destination.flush())
  const redact = ['req.headers.authorization', 'password', 'token', '*.password', '*.token']
  return pino({ level, redact }, destination)
}
