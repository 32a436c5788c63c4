import type { Task } from '@dropleaf/contract'
import type { Language } from '../../../messages/index.ts'
import { messageFor } from '../../../messages/index.ts'
import type { TaskFailure } from '../../../jobs/tasks.models.ts'
import type { TaskRow } from '../../../jobs/tasks.table.ts'
import { toInstant, toInstantOrNull } from '../../../lib/clock.ts'

/** Returns the task's request without its encrypted fields. */
function shown(payload: string): unknown {
  const {
    sealed: _sealed,
    sealed_pin: _sealedPin,
    ...rest
  } = JSON.parse(payload) as { sealed?: unknown; sealed_pin?: unknown }
  return rest
}

/** Presents a task in the API's format, with failures in the given language. */
export function presentTask(row: TaskRow, language: Language): Task {
  const failures = JSON.parse(row.failures) as TaskFailure[]
  // The error that ended the task is also in its list of failures, which contains the message parameters.
  const explain = (code: string) =>
    messageFor(code, language, failures.find((failure) => failure.code === code)?.params)
  return {
    id: row.id,
    type: row.type,
    state: row.state,
    created_by: row.owner,
    progress: JSON.parse(row.progress) as Task['progress'],
    request: shown(row.payload),
    failures: failures.map(({ path, code, params }) => ({
      path,
      code,
      message: messageFor(code, language, params),
    })),
    result: row.result === null ? null : (JSON.parse(row.result) as unknown),
    error: row.error_code === null ? null : { code: row.error_code, message: explain(row.error_code) },
    created_at: toInstant(row.created_at_ms),
    started_at: toInstantOrNull(row.started_at_ms),
    finished_at: toInstantOrNull(row.finished_at_ms),
    updated_at: toInstant(row.updated_at_ms),
  }
}
