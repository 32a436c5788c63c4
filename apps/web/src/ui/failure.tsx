import { errorText } from '../i18n/error-text.ts'
import { useIsSettled } from '../lib/use-is-settled.ts'
import { Banner } from './message.tsx'

/** Why what was pressed for was not done. */
export function Failure({ error }: { error: unknown }) {
  return useIsSettled(error) ? null : <Banner tone="error">{errorText(error)}</Banner>
}
