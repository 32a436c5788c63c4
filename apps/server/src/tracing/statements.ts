/**
 * The operation and table of a statement. They are read from the text of the statement, which never contains values.
 */
export interface StatementKind {
  readonly operation: string
  readonly table: string | null
}

const OPERATION =
  /^\s*(?:with\b[\s\S]*?\)\s*)?(select|insert|update|delete|begin|commit|rollback|pragma|savepoint|release)\b/i
const TABLE = /\b(?:from|into|update|join)\s+"?([a-z_][a-z0-9_]*)"?/i

export function kindOfStatement(sql: string): StatementKind {
  const operation = OPERATION.exec(sql)?.[1]?.toUpperCase() ?? 'OTHER'
  return { operation, table: TABLE.exec(sql)?.[1] ?? null }
}
