import { expect, test } from 'vitest'
import { kindOfStatement } from './statements.ts'

test('a statement is described by its kind and its table', () => {
  const kinds = [
    'select "id" from "pastes" where "slug" = ?',
    'insert into "files" ("id") values ($1) returning *',
    'update "files" set "views" = "views" + 1 where "id" = ?',
    'delete from "throttles" where "at_ms" < ?',
    'with "due" as (select "id" from "tasks" where "x" in (1)) update "tasks" set "y" = 1',
    'begin immediate',
    'select 1',
    'vacuum',
  ].map(kindOfStatement)
  expect(kinds).toEqual([
    { operation: 'SELECT', table: 'pastes' },
    { operation: 'INSERT', table: 'files' },
    { operation: 'UPDATE', table: 'files' },
    { operation: 'DELETE', table: 'throttles' },
    { operation: 'UPDATE', table: 'tasks' },
    { operation: 'BEGIN', table: null },
    { operation: 'SELECT', table: null },
    { operation: 'OTHER', table: null },
  ])
})
