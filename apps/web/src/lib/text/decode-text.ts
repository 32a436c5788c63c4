import { detectEncoding, type Encoding } from './detect-encoding.ts'
import { decodeExactly } from './text-detection.ts'

export interface DecodedText {
  readonly encoding: Encoding
  /** Whether the bytes are readable text. Other bytes are binary, whatever the file name is. */
  readonly isText: boolean
  /** Whether encoding the decoded text gives the same bytes. */
  readonly isExact: boolean
}

/**
 * Control characters that text does not contain. Text can contain tabs, line ends, form feeds, backspaces and terminal
 * escapes.
 */
// oxlint-disable-next-line no-control-regex -- finds control characters
const CONTROLS = /[\u0001-\u0007\u000b\u000e-\u001a\u001c-\u001f\u007f-\u0084\u0086-\u009f]/g
/** Tolerates one other control character in this number of characters, because logs contain a few. */
const CONTROL_IN = 50
/**
 * @param chosenEncoding encoding chosen by the user
 * @param isCut whether the last character can be incomplete
 */
export async function decodeText(
  bytes: Uint8Array,
  { isCut = false, chosenEncoding = null }: { isCut?: boolean; chosenEncoding?: Encoding | null } = {},
): Promise<DecodedText & { readonly text: string }> {
  const encoding = chosenEncoding ?? (await detectEncoding(bytes))
  const exact = decodeExactly(bytes, encoding, isCut)
  const text = exact ?? new TextDecoder(encoding).decode(bytes)
  const controls = text.match(CONTROLS)?.length ?? 0
  const isText = !text.includes('\0') && controls * CONTROL_IN <= text.length
  return { encoding, isText, isExact: exact !== null, text }
}
