const ROW_BYTES = 16

export interface HexRow {
  /** Offset of the first byte of the row, in at least eight hexadecimal digits. */
  readonly position: string
  readonly bytes: string
  readonly characters: string
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0')
const isPrintable = (byte: number) => byte >= 32 && byte < 127

/** Creates a hex dump with sixteen bytes per row and their characters. */
export function hexRows(bytes: Uint8Array, firstByte: number): readonly HexRow[] {
  const rows: HexRow[] = []
  for (let at = 0; at < bytes.length; at += ROW_BYTES) {
    const row = [...bytes.subarray(at, at + ROW_BYTES)]
    const digits = row.map((byte) => hex(byte, 2))
    rows.push({
      position: hex(firstByte + at, 8),
      bytes: `${digits.slice(0, 8).join(' ')}  ${digits.slice(8).join(' ')}`.padEnd(ROW_BYTES * 3, ' '),
      characters: row.map((byte) => (isPrintable(byte) ? String.fromCharCode(byte) : '·')).join(''),
    })
  }
  return rows
}
