import { extensionOf } from '../kinds/file-kind.ts'

const ZIP = [0x50, 0x4b, 0x03, 0x04]
/** Signature of old Office files and of encrypted Office files. */
const COMPOUND = [0xd0, 0xcf, 0x11, 0xe0]
const PLAIN = new Set(['csv', 'tsv', 'tab', 'fods', 'dif', 'slk'])

/** Whether the bytes have the signature that a workbook with this name must have. */
export function looksLikeSheet(bytes: Uint8Array, name: string): boolean {
  const begins = (signature: readonly number[]) => signature.every((byte, index) => bytes[index] === byte)
  const extension = extensionOf(name)
  if (PLAIN.has(extension) || begins(ZIP) || begins(COMPOUND)) return true
  // Some programs save HTML tables and very old formats with the extension `xls`.
  return extension === 'xls' && (bytes[0] === 0x09 || bytes[0] === 0x3c)
}
