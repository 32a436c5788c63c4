import { type Encoding, ENCODINGS } from '../../../lib/text/detect-encoding.ts'
import { useT } from '../../../i18n/use-translation.ts'
import { SmallSelect } from '../small-select.tsx'

interface EncodingSelectProps {
  shown: Encoding
  choose: (encoding: Encoding) => void
}

/** Lets the user select an encoding if the text is garbled. */
export function EncodingSelect({ shown, choose }: EncodingSelectProps) {
  const { t } = useT()
  return (
    <SmallSelect
      label={t('viewer.text.encoding')}
      value={shown}
      options={ENCODINGS.map((name) => ({ value: name, label: name.toUpperCase() }))}
      onChange={(name) => choose(name as Encoding)}
    />
  )
}
