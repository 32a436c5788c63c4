import { detectEncoding, type Encoding } from './detect-encoding.ts'
import { decodeExactly } from './text-detection.ts'

/** What is known of bytes that may be a text. */
export interface DecodedText {
  readonly encoding: Encoding
  /** Meant for people: other bytes are no text, whatever the name of their file says. */
  readonly isText: boolean
  /** Every byte is part of a character: nothing is lost by reading and writing it. */
  readonly isExact: boolean
}

/** Beside tabs and ends of lines, texts hold form feeds, backspaces and the escapes of terminals. */
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const CONTROLS = /[\u0001-\u0007\u000b\u000e-\u001a\u001c-\u001f\u007f-\u0084\u0086-\u009f]/g
/** Of as many characters, one may be a control that texts do not have: logs hold a few. */
const CONTROL_IN = 50
/** @param wish an encoding that somebody has chosen @param isCut whether the end may fall into a character */
export async function decodeText(
  bytes: Uint8Array,
  { isCut = false, wish = null }: { isCut?: boolean; wish?: Encoding | null } = {},
): Promise<DecodedText & { readonly text: string }> {
  const encoding = wish ?? (await detectEncoding(bytes))
  const exact = decodeExactly(bytes, encoding, isCut)
  const text = exact ?? new TextDecoder(encoding).decode(bytes)
  const controls = text.match(CONTROLS)?.length ?? 0
  const isText = !text.includes('\0') && controls * CONTROL_IN <= text.length
  return { encoding, isText, isExact: exact !== null, text }
}
